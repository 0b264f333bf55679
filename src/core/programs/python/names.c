/* names.c - what a Python text may use and still only read, compute and print.
 *
 * A row must hold for every object and every way of calling: as an argument of map() or
 * sorted(key=...) a function gets whatever the text chooses. So USE_ANYHOW means: whatever calls
 * it, with any arguments, it changes nothing, runs nothing and reveals nothing that the text could
 * not print by itself. The only files that can be written are those that a call of open() was seen
 * to open.
 *
 * Left out on purpose: whatever takes attributes by name (getattr, operator.attrgetter,
 * str.format_map), makes classes or code (type with three arguments, namedtuple, dataclasses) or
 * reads the environment (os.path.expandvars); and input(), which is eval() in Python 2. */
#include <stdlib.h>

#include "base/ascii.h"
#include "programs/python/python.h"

/* Grouped by length, since every name is compared with them. */
static const char *const keywords[] = {
    [2] = "as if in is or",
    [3] = "and def del for not try",
    [4] = "None True elif else from pass with",
    [5] = "False async await break class raise while yield",
    [6] = "assert except global import lambda return",
    [7] = "finally",
    [8] = "continue nonlocal",
};

/* All words of a list have the length of its place. */
static bool is_listed(const char *const *lists, size_t count, struct str word)
{
    const char *at = word.len < count ? lists[word.len] : NULL;

    for (; at && *at; at += word.len + (at[word.len] == ' '))
        if (*at == word.s[0] && memcmp(at, word.s, word.len) == 0)
            return true;
    return false;
}

bool python_is_keyword(struct str word)
{
    return is_listed(keywords, COUNT(keywords), word);
}

/* ---- builtins ---- */

static const char builtins[] =
    "abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate exit "
    "filter float format "
    "frozenset hasattr hash hex id int isinstance issubclass iter len list map max memoryview min "
    "next oct ord pow "
    "print "
    "quit range repr reversed round set slice sorted str sum tuple zip "
    "ArithmeticError AssertionError AttributeError BaseException BlockingIOError BrokenPipeError "
    "BufferError "
    "ChildProcessError ConnectionError EOFError Exception FileExistsError FileNotFoundError "
    "FloatingPointError "
    "GeneratorExit IOError IndexError InterruptedError IsADirectoryError KeyError "
    "KeyboardInterrupt LookupError "
    "MemoryError NameError NotADirectoryError NotImplementedError OSError OverflowError "
    "PermissionError "
    "ProcessLookupError RecursionError RuntimeError StopIteration SystemExit TimeoutError "
    "TypeError "
    "UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError ZeroDivisionError";

/* Constructing one of these chooses the module or the file that the traceback reads. */
static const char builtin_classes[] =
    "ImportError IndentationError ModuleNotFoundError SyntaxError";

/* A name that is a variable in one function is still the builtin outside of it. These builtins
 * could do harm there, so they may not be names of variables. */
static const char *const risky[] = {
    [3] = "dir",
    [4] = "eval exec help open type vars",
    [5] = "aiter anext input super",
    [6] = "locals object",
    [7] = "compile credits delattr getattr globals license setattr",
    [8] = "property",
    [9] = "copyright",
    [10] = "breakpoint",
    [11] = "classmethod",
    [12] = "staticmethod",
};
static const char risky_before_3[] = "execfile file reload";

enum python_use python_builtin(struct str name)
{
    if (str_is(name, "open"))
        return USE_OPEN;
    if (str_is(name, "type"))
        return USE_TYPE;
    if (str_has_word(str_from(builtin_classes), name))
        return USE_CLASS;
    return str_has_word(str_from(builtins), name) ? USE_ANYHOW : USE_NEVER;
}

bool python_is_risky(struct str name, bool three)
{
    return is_listed(risky, COUNT(risky), name) ||
           (!three && str_has_word(str_from(risky_before_3), name));
}

/* ---- modules ---- */

static const struct module {
    const char *name, *members; /* USE_ANYHOW */
} modules[] = {
    {"ast", "dump get_docstring iter_child_nodes iter_fields literal_eval walk"},
    {"base64", "a85decode a85encode b16decode b16encode b32decode b32encode b64decode b64encode "
               "b85decode b85encode "
               "standard_b64decode standard_b64encode urlsafe_b64decode urlsafe_b64encode"},
    {"binascii", "a2b_base64 a2b_hex b2a_base64 b2a_hex crc32 hexlify unhexlify"},
    {"bisect", "bisect bisect_left bisect_right insort"},
    {"calendar",
     "day_abbr day_name isleap leapdays month_abbr month_name monthrange timegm weekday"},
    {"collections", "ChainMap Counter OrderedDict defaultdict deque"},
    {"copy", "copy deepcopy"},
    {"csv", "DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC "
            "reader writer"},
    {"datetime", "MAXYEAR MINYEAR UTC date datetime time timedelta timezone"},
    {"decimal", "Decimal InvalidOperation ROUND_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP"},
    {"difflib", "Differ SequenceMatcher context_diff get_close_matches ndiff unified_diff"},
    {"fnmatch", "filter fnmatch fnmatchcase translate"},
    {"fractions", "Fraction"},
    {"functools", "cmp_to_key partial reduce"},
    {"glob", "escape has_magic"},
    {"hashlib", "blake2b blake2s md5 new sha1 sha224 sha256 sha384 sha3_256 sha3_512 sha512"},
    {"heapq", "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest"},
    {"html", "escape unescape"},
    {"io", "BytesIO StringIO TextIOWrapper"},
    {"itertools",
     "accumulate chain combinations combinations_with_replacement compress count cycle dropwhile "
     "filterfalse "
     "groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest"},
    {"json", "JSONDecodeError dump dumps load loads"},
    {"math", "acos asin atan atan2 ceil comb copysign cos degrees dist e exp fabs factorial floor "
             "fmod frexp fsum gamma "
             "gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp log log10 log1p log2 modf "
             "nan perm pi pow prod "
             "radians sin sqrt sumprod tan tau trunc"},
    {"operator", "add and_ contains eq floordiv ge gt itemgetter le lt mod mul ne neg not_ or_ sub "
                 "truediv xor"},
    {"os", "cpu_count curdir getcwd getpid linesep name pardir pathsep sep"},
    {"os.path",
     "abspath basename commonpath commonprefix dirname exists expanduser getmtime getsize isabs "
     "isdir isfile "
     "islink ismount join lexists normcase normpath realpath relpath samefile sep split splitext"},
    {"pathlib", ""},
    {"pprint", "pformat pp pprint"},
    {"random", "choice choices gauss randint random randrange sample seed shuffle uniform"},
    {"re", "A ASCII DOTALL I IGNORECASE M MULTILINE S U UNICODE VERBOSE X compile error escape "
           "findall finditer fullmatch "
           "match search split sub subn"},
    {"shlex", "join quote split"},
    {"statistics", "StatisticsError fmean geometric_mean harmonic_mean mean median median_high "
                   "median_low mode multimode "
                   "pstdev pvariance quantiles stdev variance"},
    {"string", "ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits "
               "printable punctuation "
               "whitespace"},
    {"struct", "calcsize error pack unpack unpack_from"},
    {"sys", "byteorder executable exit float_info getsizeof maxsize maxunicode platform "
            "setrecursionlimit stderr stdin "
            "stdout version version_info"},
    {"textwrap", "dedent fill indent shorten wrap"},
    {"time", "asctime ctime gmtime localtime mktime monotonic perf_counter process_time sleep "
             "strftime strptime time "
             "time_ns"},
    {"tomllib", "TOMLDecodeError load loads"},
    {"traceback", "format_exc print_exc"},
    {"typing", "Any Dict Iterable Iterator List Optional Set Tuple Union"},
    {"unicodedata", "category name normalize"},
    {"urllib", ""},
    {"urllib.parse", "parse_qs parse_qsl quote quote_plus unquote unquote_plus urlencode urljoin "
                     "urlparse urlsplit"},
    {"yaml", "YAMLError safe_dump safe_load safe_load_all"},
    {"zlib", "adler32 compress crc32 decompress"},
};

/* ast.AST(**names) has any attributes the text wants, among them __reduce_ex__, which copy() calls,
 * and _fields, which lets iter_fields() read any attribute of any object. */
static const char ast_classes[] =
    "AST Assign AsyncFunctionDef Attribute Call ClassDef Constant Dict Expr FunctionDef "
    "Import ImportFrom List Load Module Name Str Tuple";

/* Members that are not USE_ANYHOW. */
static const struct {
    const char *module, *name;
    enum python_use use;
} members[] = {
    {"ast", "parse", USE_PARSE},       {"glob", "glob", USE_FIND},
    {"glob", "iglob", USE_FIND},       {"io", "open", USE_OPEN},
    {"os", "listdir", USE_LIST},       {"os", "scandir", USE_LIST},
    {"os", "walk", USE_WALK},          {"pathlib", "Path", USE_PATH},
    {"pathlib", "PurePath", USE_PATH}, {"pathlib", "PosixPath", USE_PATH},
    {"sys", "argv", USE_ARGV},
};

static const struct module *find_module(struct str name)
{
    for (size_t i = 0; i < COUNT(modules); i++)
        if (str_is(name, modules[i].name))
            return &modules[i];
    return NULL;
}

bool python_is_module(struct str name)
{
    return find_module(name) != NULL;
}

enum python_use python_member(struct str module, struct str name)
{
    const struct module *m = find_module(module);

    for (size_t i = 0; i < COUNT(members); i++)
        if (str_is(module, members[i].module) && str_is(name, members[i].name))
            return members[i].use;
    if (str_is(module, "ast") && str_has_word(str_from(ast_classes), name))
        return USE_CLASS;
    return m && str_has_word(str_from(m->members), name) ? USE_ANYHOW : USE_NEVER;
}

/* ---- methods and attributes ---- */

/* Attributes of strings, lists, dictionaries, sets, numbers, files, matches, times, paths, hashes,
 * exceptions and syntax trees. A name that does more for one of them (Path.replace moves a file,
 * ElementTree.write creates one) is below, or no text can get an object of that class. */
static const char attributes[] =
    "add append appendleft args as_integer_ratio as_posix as_uri astimezone attr attrib bit_length "
    "body buffer "
    "capitalize "
    "casefold center clear close closed col_offset colno combine count ctime date day days decode "
    "denominator difference difference_update digest digest_size discard doc elements encode "
    "encoding end end_lineno "
    "endswith errno exists expand expandtabs expanduser extend extendleft fieldnames filename "
    "fileno find "
    "find_longest_match "
    "findall finditer flags flush fold fromhex fromisoformat fromkeys fromordinal fromtimestamp "
    "from_bytes "
    "fullmatch func get get_matching_blocks get_opcodes getvalue group groupdict groupindex groups "
    "hex hexdigest hour "
    "id imag index insert intersection intersection_update is_absolute is_dir is_file is_symlink "
    "isalnum isalpha "
    "isascii "
    "isatty isdecimal isdigit isdisjoint isidentifier islower isnumeric isocalendar isoformat "
    "isoweekday "
    "isprintable isspace issubset issuperset istitle isupper items join joinpath keys keywords "
    "lastgroup lastindex "
    "level line_num lineno ljust lower lstrip major maketrans match maxlen micro microsecond "
    "microseconds minor minute "
    "mode "
    "module month most_common move_to_end msg name names now numerator parent parents partition "
    "parts pattern pop "
    "popitem "
    "popleft pos quick_ratio ratio re read readable readline readlines real real_quick_ratio "
    "reason reconfigure "
    "relative_to releaselevel remove removeprefix removesuffix resolve returns reverse rfind "
    "rindex rjust rotate "
    "rpartition rsplit rstrip search second seconds seek serial setdefault sort span split "
    "splitlines st_mtime st_size "
    "start startswith stat stem step stop strerror strftime string strip strptime sub subn "
    "subtract suffix suffixes "
    "swapcase symmetric_difference targets tell time timestamp timetuple title to_bytes today "
    "toordinal total "
    "total_seconds translate truncate tzinfo tzname union update upper utcfromtimestamp utcnow "
    "utcoffset value values "
    "weekday with_name with_suffix write writeheader writelines writerow writerows year zfill "
    "hostname netloc path port query scheme fragment username quantize is_integer";

static const struct {
    const char *name;
    enum python_use use;
} methods[] = {
    {"copy", USE_COPY},        {"format", USE_FORMAT},   {"glob", USE_NAMES},
    {"iterdir", USE_NAMES},    {"read_bytes", USE_READ}, {"read_text", USE_READ},
    {"replace", USE_REPLACE},  {"rglob", USE_NAMES},     {"write_bytes", USE_WRITE},
    {"write_text", USE_WRITE},
};

enum python_use python_method(struct str name)
{
    for (size_t i = 0; i < COUNT(methods); i++)
        if (str_is(name, methods[i].name))
            return methods[i].use;
    return str_has_word(str_from(attributes), name) ? USE_ANYHOW : USE_NEVER;
}

/* ---- files that would shadow a module ---- */

/* Modules of the standard library since 2.7 that another module may load, and what distributions
 * load when a program fails. Names with one leading underscore count too. `test` is left out: no
 * module loads it, and it is a common name for a directory. In lower case, sorted by bytes. */
static const char *const library[] = {
    /* clang-format off */
    "__builtin__", "__future__", "__hello__", "__main__", "__phello__",
    "abc", "aifc", "annotationlib", "antigravity", "anydbm", "apport", "apport_python_hook", "apt", "apt_inst",
    "apt_pkg", "apt_update", "aptsources", "argparse", "array", "ast", "asynchat", "asyncio", "asyncore", "atexit",
    "audiodev", "audioop", "base64", "basehttpserver", "bastion", "bdb", "binascii", "binhex", "bisect", "bsddb",
    "builtins", "bz2", "calendar", "cgi", "cgihttpserver", "cgitb", "chunk", "cmath", "cmd", "code", "codecs",
    "codeop", "collections", "colorize", "colorsys", "commands", "compileall", "compiler", "compression",
    "concurrent", "configparser", "contextlib", "contextvars", "cookie", "cookielib", "copy", "copy_reg", "copyreg",
    "cpickle", "cprofile", "crypt", "cstringio", "csv", "ctypes", "curses", "dataclasses", "datetime", "dbhash",
    "dbm", "decimal", "difflib", "dircache", "dis", "distro_info", "distutils", "doctest", "docxmlrpcserver",
    "dumbdbm", "dummy_thread", "dummy_threading", "email", "encodings", "ensurepip", "enum", "errno", "exceptions",
    "faulthandler", "fcntl", "filecmp", "fileinput", "fnmatch", "formatter", "fpformat", "fractions", "ftplib",
    "functools", "future_builtins", "gc", "genericpath", "getopt", "getpass", "gettext", "glob", "graphlib", "grp",
    "gzip", "hashlib", "heapq", "hmac", "hotshot", "html", "htmlentitydefs", "htmllib", "htmlparser", "http",
    "httplib", "idlelib", "ihooks", "imaplib", "imghdr", "imp", "importlib", "imputil", "inspect", "io",
    "ipaddress", "itertools", "json", "keyword", "launchpadlib", "lib2to3", "linecache", "linuxaudiodev", "locale",
    "logging", "lsb_release", "lzma", "macpath", "macurl2path", "mailbox", "mailcap", "markupbase", "marshal",
    "math", "md5", "mhlib", "mimetools", "mimetypes", "mimewriter", "mimify", "mmap", "modulefinder", "msilib",
    "msvcrt", "multifile", "multiprocessing", "mutex", "netrc", "new", "nis", "nntplib", "nt", "ntpath",
    "nturl2path", "numbers", "opcode", "operator", "optparse", "os", "os2emxpath", "ossaudiodev", "parser",
    "pathlib", "pdb", "pickle", "pickletools", "pipes", "pkgutil", "platform", "plistlib", "popen2", "poplib",
    "posix", "posixfile", "posixpath", "pprint", "problem_report", "profile", "pstats", "pty", "pwd", "py_compile",
    "pyclbr", "pydoc", "pydoc_data", "pyexpat", "pyrepl", "queue", "quopri", "random", "re", "readline", "repr",
    "reprlib", "resource", "rexec", "rfc822", "rlcompleter", "robotparser", "runpy", "sched", "secrets", "select",
    "selectors", "sets", "sgmllib", "sha", "shelve", "shlex", "shutil", "signal", "simplehttpserver",
    "simplexmlrpcserver", "site", "sitecustomize", "smtpd", "smtplib", "sndhdr", "socket", "socketserver", "spwd",
    "sqlite3", "sre", "sre_compile", "sre_constants", "sre_parse", "ssl", "stat", "statistics", "statvfs", "string",
    "stringio", "stringold", "stringprep", "strop", "struct", "subprocess", "sunau", "sunaudio", "symbol",
    "symtable", "sys", "sysconfig", "syslog", "tabnanny", "tarfile", "telnetlib", "tempfile", "termios", "textwrap",
    "this", "thread", "threading", "time", "timeit", "tkinter", "toaiff", "token", "tokenize", "tomllib", "trace",
    "traceback", "tracemalloc", "tty", "turtle", "turtledemo", "types", "typing", "unicodedata", "unittest",
    "urllib", "urllib2", "urlparse", "user", "usercustomize", "userdict", "userlist", "userstring", "uu", "uuid",
    "venv", "warnings", "wave", "weakref", "webbrowser", "whichdb", "winreg", "winsound", "wsgiref", "xdrlib",
    "xml", "xmllib", "xmlrpc", "xmlrpclib", "xxlimited", "xxlimited_35", "xxsubtype", "yaml", "zipapp", "zipfile",
    "zipimport", "zlib", "zoneinfo", "zstandard"
    /* clang-format on */
};

static int by_name(const void *key, const void *row)
{
    return str_compare(*(const struct str *)key, str_from(*(const char *const *)row));
}

bool program_is_module_name(struct str name)
{
    char lower[32];

    if (name.len == 0 || name.len > sizeof(lower))
        return false;
    for (size_t i = 0; i < name.len; i++)
        lower[i] = ascii_lower(name.s[i]);
    struct str key = {lower, name.len};
    return (key.s[0] == '_' && !str_starts(key, STR("__"))) ||
           bsearch(&key, library, COUNT(library), sizeof(library[0]), by_name);
}
