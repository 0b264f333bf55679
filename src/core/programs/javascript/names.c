/* names.c - what an inline JavaScript text may name, and why only that.
 *
 * Globals, members of modules and methods may be values if each is harmless whatever calls it, with
 * any arguments and any `this`. A name that leads from a value to Function, which turns strings
 * into code, or to an object that the runtime itself uses (a prototype, a module, the global
 * object) is never allowed: constructor, prototype, __proto__, call, bind. An unknown key may lead
 * to one of these, so its value is only read (flow.c).
 *
 * tests/judges/javascript checks the lists against the runtime: no allowed name leads from an
 * allowed value to one that is not allowed. */
#include "programs/javascript/javascript.h"

/* Reserved in scripts, in modules or in strict mode; and words with a special meaning in some
 * places. */
static const char words[] = "arguments async await break case catch class const continue debugger "
                            "default delete do else enum eval export "
                            "extends false finally for function if implements import in instanceof "
                            "interface let new null package private "
                            "protected public return static super switch this throw true try "
                            "typeof var void while with yield";

bool js_is_word(struct str word)
{
    return word.len >= strlen("do") && word.len <= strlen("implements") &&
           str_has_word(str_from(words), word);
}

/* ---- globals ---- */

/* Globals of Node, Bun and Deno, and those that node -e adds. A text may not declare them: it could
 * replace a property of the global object that the runtime uses. Modules that node -e has as
 * globals may be declared, but not by a top-level `var`, which is the global itself. */
static const char taken[] = "AbortController AbortSignal AggregateError Array ArrayBuffer "
                            "AsyncDisposableStack Atomics BigInt BigInt64Array "
                            "BigUint64Array Blob Boolean BroadcastChannel Buffer Bun "
                            "ByteLengthQueuingStrategy Cache CacheStorage CloseEvent "
                            "CompressionStream CountQueuingStrategy Crypto CryptoKey CustomEvent "
                            "DOMException DataView Date "
                            "DecompressionStream Deno DisposableStack Error ErrorEvent EvalError "
                            "Event EventSource EventTarget File "
                            "FinalizationRegistry Float16Array Float32Array Float64Array FormData "
                            "Function HTMLRewriter Headers Infinity "
                            "Int16Array Int32Array Int8Array Intl Iterator JSON Loader Location "
                            "Map Math MessageChannel MessageEvent "
                            "MessagePort NaN Navigator Number Object Performance PerformanceEntry "
                            "PerformanceMark PerformanceMeasure "
                            "PerformanceObserver PerformanceObserverEntryList "
                            "PerformanceResourceTiming ProgressEvent Promise "
                            "PromiseRejectionEvent "
                            "Proxy RangeError ReadableByteStreamController ReadableStream "
                            "ReadableStreamBYOBReader ReadableStreamBYOBRequest "
                            "ReadableStreamDefaultController ReadableStreamDefaultReader "
                            "ReferenceError Reflect RegExp Request Response "
                            "Set ShadowRealm SharedArrayBuffer Storage String SubtleCrypto "
                            "SuppressedError Symbol SyntaxError TextDecoder "
                            "TextDecoderStream TextEncoder TextEncoderStream TransformStream "
                            "TransformStreamDefaultController TypeError "
                            "URIError "
                            "URL URLPattern URLSearchParams Uint16Array Uint32Array Uint8Array "
                            "Uint8ClampedArray WeakMap WeakRef WeakSet "
                            "WebAssembly WebSocket Worker WritableStream "
                            "WritableStreamDefaultController WritableStreamDefaultWriter "
                            "__dirname __filename __proto__ addEventListener alert atob btoa "
                            "caches clearImmediate clearInterval clearTimeout "
                            "close closed confirm console constructor crypto decodeURI "
                            "decodeURIComponent dispatchEvent encodeURI "
                            "encodeURIComponent escape exports fetch gc global globalThis "
                            "hasOwnProperty isFinite isNaN isPrototypeOf "
                            "localStorage location module navigator of onerror onmessage "
                            "parseFloat parseInt performance postMessage process "
                            "prompt propertyIsEnumerable queueMicrotask removeEventListener "
                            "reportError require self sessionStorage "
                            "setImmediate setInterval setTimeout structuredClone toLocaleString "
                            "toString undefined unescape valueOf window";

bool js_is_taken(struct str name)
{
    return str_starts(name, STR("__")) || str_has_word(str_from(taken), name);
}

static const char libraries[] =
    "assert async_hooks buffer child_process cluster constants crypto dgram diagnostics_channel "
    "dns domain events fs "
    "http "
    "http2 https inspector module net os path perf_hooks process punycode querystring quic "
    "readline repl sea sqlite "
    "stream "
    "string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib";

bool js_is_library(struct str name)
{
    return str_has_word(str_from(libraries), name);
}

static const struct {
    enum js_use use;
    const char names[160];
} globals[] = {
    {USE_LOOK, "BigInt Boolean Number String atob btoa decodeURI decodeURIComponent encodeURI "
               "encodeURIComponent escape "
               "isFinite isNaN parseFloat parseInt unescape"},
    {USE_DATA, "Infinity NaN undefined"},
    {USE_MAKER,
     "Array Date Error EvalError RangeError ReferenceError RegExp SyntaxError TypeError URIError"},
    {USE_CLASS, "Map Set WeakMap WeakSet"},
    {USE_REQUIRE, "require"},
};

enum js_use js_global(struct str name)
{
    for (size_t i = 0; i < COUNT(globals); i++)
        if (str_has_word(str_from(globals[i].names), name))
            return globals[i].use;
    return USE_NEVER;
}

/* ---- members of modules and globals ---- */

/* Not in the list: process.env, whatever of os names a person, and whatever of fs writes or opens
 * for writing. */
static const struct {
    const char space[20];
    enum js_use use;
    const char names[300];
} spaces[] = {
    {"Array", USE_LOOK, "isArray"},
    {"Array", USE_ANYHOW, "from of"},
    {"Buffer", USE_ANYHOW, "byteLength compare concat from isBuffer"},
    {"Date", USE_LOOK, "UTC now parse"},
    {"JSON", USE_JSON, "parse stringify"},
    {"Math", USE_LOOK,
     "abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 floor fround "
     "hypot imul log log10 "
     "log1p "
     "log2 max min pow random round sign sin sinh sqrt tan tanh trunc"},
    {"Math", USE_DATA, "E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2"},
    {"Number", USE_LOOK, "isFinite isInteger isNaN isSafeInteger parseFloat parseInt"},
    {"Number", USE_DATA,
     "EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NEGATIVE_INFINITY NaN "
     "POSITIVE_INFINITY"},
    {"Object", USE_LOOK, "getOwnPropertyNames hasOwn is isFrozen isSealed keys"},
    {"Object", USE_ANYHOW, "assign entries freeze fromEntries groupBy values"},
    {"String", USE_LOOK, "fromCharCode fromCodePoint"},
    {"console", USE_LOOK,
     "assert count countReset debug dir error group groupCollapsed groupEnd info log table time "
     "timeEnd timeLog warn"},
    {"fs", USE_READ, "readFileSync"},
    {"fs", USE_LIST, "readdirSync"},
    {"fs", USE_STATE, "accessSync existsSync lstatSync readlinkSync realpathSync statSync"},
    {"os", USE_DATA, "EOL"},
    {"os", USE_LOOK,
     "arch availableParallelism cpus endianness freemem homedir hostname loadavg machine platform "
     "release tmpdir "
     "totalmem "
     "type uptime version"},
    {"path", USE_DATA, "delimiter sep"},
    {"path", USE_LOOK,
     "basename dirname extname format isAbsolute join normalize parse relative resolve"},
    {"process", USE_DATA, "arch argv0 execPath pid platform ppid title version"},
    {"process", USE_ARGV, "argv"},
    {"process", USE_CODE, "exitCode"},
    {"process", USE_CALL, "cpuUsage cwd exit hrtime memoryUsage uptime"},
    {"process.release", USE_DATA, "lts name"},
    {"process.stderr", USE_PRINT, "write"},
    {"process.stderr", USE_DATA, "columns isTTY rows"},
    {"process.stdin", USE_CALL, "read"},
    {"process.stdin", USE_DATA, "isTTY"},
    {"process.stdin", USE_INPUT, "on once pause resume setEncoding"},
    {"process.stdout", USE_PRINT, "write"},
    {"process.stdout", USE_DATA, "columns isTTY rows"},
    {"process.versions", USE_DATA,
     "ares brotli icu llhttp modules napi nghttp2 node openssl unicode uv v8 zlib"},
    {"require", USE_CALL, "resolve"},
    {"util", USE_CALL, "format inspect isDeepStrictEqual"},
};

bool js_is_module(struct str name)
{
    return str_has_word(STR("fs os path util"), name);
}

bool js_is_space(struct str name)
{
    for (size_t i = 0; i < COUNT(spaces); i++)
        if (str_is(name, spaces[i].space))
            return true;
    return false;
}

enum js_use js_member_of(struct str space, struct str name)
{
    for (size_t i = 0; i < COUNT(spaces); i++)
        if (str_is(space, spaces[i].space) && str_has_word(str_from(spaces[i].names), name))
            return spaces[i].use;
    return USE_NEVER;
}

/* ---- members of other values ---- */

static const char methods[] = "at charAt charCodeAt codePointAt concat endsWith entries every exec "
                              "filter find findIndex findLast findLastIndex "
                              "flat flatMap forEach get getDate getDay getFullYear getHours "
                              "getMilliseconds getMinutes getMonth getSeconds "
                              "getTime "
                              "getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours "
                              "getUTCMilliseconds getUTCMinutes getUTCMonth "
                              "getUTCSeconds has hasOwnProperty includes indexOf isBlockDevice "
                              "isCharacterDevice isDirectory isFIFO isFile "
                              "isSocket isSymbolicLink join keys lastIndexOf localeCompare map "
                              "match matchAll normalize padEnd padStart reduce "
                              "reduceRight repeat replace replaceAll search slice some split "
                              "startsWith substr substring test toDateString "
                              "toExponential toFixed toISOString toLocaleDateString "
                              "toLocaleLowerCase toLocaleString toLocaleTimeString "
                              "toLocaleUpperCase toLowerCase toPrecision toReversed toSorted "
                              "toSpliced toString toTimeString toUTCString "
                              "toUpperCase trim trimEnd trimLeft trimRight trimStart values with";

static const char changes[] = "add clear copyWithin delete fill pop push reverse set setDate "
                              "setFullYear setHours setMilliseconds setMinutes "
                              "setMonth setSeconds setTime setUTCDate setUTCFullYear setUTCHours "
                              "setUTCMilliseconds setUTCMinutes setUTCMonth "
                              "setUTCSeconds shift sort splice unshift";

static const char statics[] = "UTC all allSettled alloc allocUnsafe allocUnsafeSlow any assign "
                              "captureStackTrace copyBytesFrom create "
                              "defineProperties defineProperty for freeze from fromAsync "
                              "fromCharCode fromCodePoint fromEntries "
                              "getOwnPropertyDescriptor getOwnPropertyDescriptors "
                              "getOwnPropertyNames getOwnPropertySymbols getPrototypeOf "
                              "groupBy hasOwn is isArray isBuffer isEncoding isExtensible isFrozen "
                              "isSealed keyFor now of parse "
                              "prepareStackTrace preventExtensions race raw reject resolve seal "
                              "setPrototypeOf try withResolvers";

static const char never[] =
    "apply arguments bind call callee caller compile constructor prototype then toJSON valueOf";

enum js_member js_member(struct str name)
{
    if (str_starts(name, STR("__")) || str_has_word(str_from(never), name))
        return MEMBER_NEVER;
    if (str_has_word(str_from(methods), name))
        return MEMBER_METHOD;
    if (str_has_word(str_from(changes), name))
        return MEMBER_CHANGES;
    return str_has_word(str_from(statics), name) ? MEMBER_STATIC : MEMBER_OWN;
}
