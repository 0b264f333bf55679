/* evasion_opens.c - the files that code in another language opens, lists, changes or deletes.
 *
 * evasion_paths() finds a path that is written out in the code. Here the question is whether every
 * path is: "a" + b, $x and sys.argv[1] are not known before run time, and could be what a rule
 * names. Code that a reader has followed to its end has its paths from there. */
#include "base/ascii.h"
#include "base/path.h"
#include "decide/evasion_code.h"

/* Functions whose first argument names a file or a directory; with a dot only as a member of that,
 * or by itself (from os import remove). */
static const char openers[] =
    "fopen readFile readFileSync createReadStream createWriteStream readdir readdirSync opendir "
    "opendirSync openSync appendFile appendFileSync writeFile writeFileSync truncate truncateSync "
    "rmSync rmdir rmdirSync unlink unlinkSync chmod chmodSync chown chownSync lchown utime utimes "
    "utimesSync openAsBlob fs.rm fs.open fs.watch fs.cp promises.rm promises.open promises.cp "
    "Path PurePath PosixPath listdir scandir fwalk os.walk glob.glob glob.iglob rmtree "
    "make_archive unpack_archive removedirs os.remove os.truncate os.open chdir tarfile.open "
    "TarFile ZipFile zipfile.write read_csv read_table read_json read_excel read_parquet "
    "read_pickle read_fwf loadtxt genfromtxt fromfile memmap linecache.getline linecache.getlines "
    "FileInput fileinput.input FileIO run_path imread sysopen remove_tree make_path slurp "
    "read_file File.read IO.read File.readlines IO.readlines File.foreach IO.foreach File.binread "
    "IO.binread File.write File.delete File.open Dir.children Dir.entries Dir.each_child Dir.open "
    "Dir.chdir FileUtils.rm FileUtils.rm_r FileUtils.rm_rf FileUtils.cp_r FileUtils.cp "
    "FileUtils.mv "
    "file_get_contents file_put_contents readfile io.open io.lines CDLL";
/* Those whose first two arguments do. */
static const char movers[] =
    "copytree copyFile copyFileSync cpSync renameSync linkSync symlinkSync copyfile copy2 "
    "shutil.copy "
    "shutil.move os.rename os.replace os.link os.symlink rename renames copy move link symlink";
/* Without an argument, or with one that is none, they act in the working directory. */
static const char here[] = "listdir scandir Path os.walk cwd getcwd";
static const char here_always[] = "cwd getcwd";
/* What the program reads next is what these name. */
static const char queues[] = "ARGV argv";

static size_t skip_space(struct str text, size_t at)
{
    while (at < text.len && ascii_is_space(text.s[at]))
        at++;
    return at;
}

/* os.remove: `of` stands in front of it, behind a dot or colons; or nothing does. */
static bool is_member_of(struct str text, size_t at, struct str of)
{
    size_t mark = at;

    while (mark > 0 && strchr(".:", text.s[mark - 1]))
        mark--;
    return mark == at || (mark >= of.len && str_eq(str_slice(text, mark - of.len, mark), of));
}

static bool is_listed(const char *names, struct str text, size_t at, struct str name)
{
    struct str rest = str_from(names), one, of, last;

    while (str_next_word(&rest, &one)) {
        const bool member = str_cut(one, '.', &of, &last);
        if (str_eq(name, member ? last : one) && (!member || is_member_of(text, at, of)))
            return true;
    }
    return false;
}

static bool ends_one(const char *names, struct str name)
{
    struct str rest = str_from(names), one, of, last;

    while (str_next_word(&rest, &one))
        if (str_eq(name, str_cut(one, '.', &of, &last) ? last : one))
            return true;
    return false;
}

bool code_names_opener(struct str name)
{
    return str_is(name, "open") || str_is(name, "getline") || ends_one(openers, name) ||
           ends_one(movers, name) || ends_one(here, name) || ends_one(queues, name);
}

static void doubt(struct code *c)
{
    evasion_doubt(c->e, rulebook_first_on_paths(c->e->f->book),
                  "code opens a file by a name that it computes, and that could match");
}

static void look_at_texts(struct code *c, const struct code_arguments *args)
{
    if (args->none)
        return;
    if (!args->known)
        doubt(c);
    for (size_t i = 0; i < args->texts.count; i++)
        evasion_file(c->e, args->texts.items[i]);
}

/* Perl: open(F, "<", NAME), open(F, NAME). What is in front of the first comma is the handle. */
static void perl_open(struct code *c, size_t end)
{
    struct code_arguments args;
    size_t at = skip_space(c->text, end);

    at += str_byte(c->text, at) == '(';
    while (at < c->text.len && !strchr(",;)", c->text.s[at]))
        at++;
    if (str_byte(c->text, at) != ',')
        return;
    code_arguments(c, at + 1, &args);
    look_at_texts(c, &args);
}

/* awk: getline x < NAME */
static void awk_getline(struct code *c, size_t end)
{
    struct str text = c->text;
    struct code_string s;
    size_t at = end;

    while (at < text.len && !strchr("<;}\n)", text.s[at]))
        at++;
    if (str_byte(text, at) != '<')
        return;
    at = skip_space(text, at + 1);
    at += str_byte(text, at) == '(';
    if (!code_string(c, at, &s) || !s.known) {
        doubt(c);
        return;
    }
    at = skip_space(text, s.end);
    if (at < text.len && !strchr(");}", text.s[at])) /* "a" b */
        doubt(c);
}

/* ARGV[1] = x, @ARGV = glob("x"), push @ARGV, x */
static void fill_queue(struct code *c, size_t at, size_t end)
{
    struct str text = c->text;
    size_t next = skip_space(text, end), front = at;

    if (str_byte(text, next) == '[')
        while (next < text.len && text.s[next++] != ']')
            ;
    next = skip_space(text, next);
    while (front > 0 && !ascii_is_name(text.s[front - 1]) && !strchr(";\n", text.s[front - 1]))
        front--;
    const struct str before = str_slice(text, 0, front);
    if ((str_byte(text, next) == '=' && str_byte(text, next + 1) != '=' &&
         str_byte(text, next + 1) != '~') ||
        str_ends(before, STR("push")) || str_ends(before, STR("unshift")))
        doubt(c);
}

static bool is_called(const struct code *c, size_t end)
{
    const size_t at = skip_space(c->text, end);
    const int next = str_byte(c->text, at);

    if (next == '(')
        return true;
    return code_has(c, '$') && next >= 0 && strchr("'\"$@<", next);
}

void code_opens(struct code *c, size_t at, size_t end)
{
    const struct str name = str_slice(c->text, at, end);
    struct code_arguments args;

    if (!evasion_reads_code(c->e))
        return;
    if (str_has_word(str_from(queues), name)) {
        fill_queue(c, at, end);
    } else if (str_is(name, "getline") && code_has(c, '|') && !code_has(c, '`')) {
        awk_getline(c, end);
    } else if (str_is(name, "open") && code_has(c, 'o')) {
        perl_open(c, end);
    } else if (is_called(c, end)) {
        const bool moves = is_listed(movers, c->text, at, name);
        const bool lists = is_listed(here, c->text, at, name);
        if (!moves && !lists && !str_is(name, "open") && !is_listed(openers, c->text, at, name))
            return;
        code_first_arguments(c, end, moves ? 2 : 1, &args);
        if (str_has_word(str_from(here_always), name) || (args.none && lists))
            evasion_file(c->e, STR("."));
        else
            look_at_texts(c, &args);
    }
}
