/* desktop.c - rows: terminals, desktops and macOS, documents and media, other agents. */
#include "programs/programs.h"

#define AGENT   (EFFECT_CODE | EFFECT_NETWORK)
#define BEADS   "bd help, docs of beads"
#define WORKMUX "workmux manual (workmux.raine.dev/reference), options in its src/cli.rs"
/* Their values are data; what takes a file is marked. Hooks in .beads/hooks run on changes. */
#define BEADS_CHANGES (EFFECT_REPO | EFFECT_PROJECT)

static const struct program_row rows[] = {
    {"agent-browser",
     "global %-h,--help %-V,--version --session= --json --full -f -i,--interactive -c,--compact "
     "-d,--depth= "
     "-s,--selector= --headed !--cdp= !--proxy=N !--executable-path=F "
     "!--extension=F !--state=R !--profile=R !--headers= !--config=F !--args=",
     "sub", 0, "agent-browser --help"},
    {"agent-browser close", "mixed", "none", EFFECT_PROCESS, "agent-browser --help"},
    {"agent-browser console", "mixed", ".*", EFFECT_FETCH, "agent-browser --help"},
    {"agent-browser errors", "mixed", ".*", EFFECT_FETCH, "agent-browser --help"},
    {"agent-browser get", "mixed", ".*", EFFECT_FETCH, "agent-browser --help"},
    {"agent-browser is", "mixed", ".*", EFFECT_FETCH, "agent-browser --help"},
    {"agent-browser open", "mixed", "^unknown N", EFFECT_NETWORK,
     "agent-browser --help; a page runs its scripts and leads elsewhere"},
    {"agent-browser screenshot", "mixed", "W", EFFECT_FETCH, "agent-browser --help"},
    {"agent-browser skills", "mixed", ".*", 0, "agent-browser --help"},
    {"agent-browser snapshot", "mixed", "none", EFFECT_FETCH, "agent-browser --help"},
    {"agent-browser wait", "mixed --load= --text= --url= --fn=X --timeout=", ".", EFFECT_FETCH,
     "agent-browser --help"},
    {"aider", "%--version %-h,--help", "@@data", AGENT, "aider --help"},
    {"amp", "%-V,--version %-h,--help", "@@data", AGENT, "amp --help"},
    {"auggie", "%--version %-h,--help", "@@data", AGENT, "auggie --help"},
    {"bd",
     "global %-h,--help %-V,--version --json --readonly --sandbox -q,--quiet -v,--verbose --actor= "
     "--allow-stale "
     "--no-daemon --format= !--db=R !--profile !--dolt-auto-commit= !-C=P",
     "sub", 0, BEADS},
    {"bd blocked", "mixed --parent= --limit=", "none", EFFECT_FETCH, BEADS},
    {"bd children", "mixed --pretty", ".", EFFECT_FETCH, BEADS},
    {"bd close", "mixed -r,--reason= --comment= -f,--force --suggest-next --continue --session=",
     "@data*", BEADS_CHANGES, BEADS},
    {"bd comments", "mixed --local-time", ".", EFFECT_FETCH, BEADS},
    {"bd comments add", "mixed -a,--author= -f,--file=R", "@data @data", BEADS_CHANGES, BEADS},
    {"bd context", "mixed", "none", EFFECT_FETCH, BEADS},
    {"bd count",
     "mixed -s,--status= -t,--type= -p,--priority= -a,--assignee= -l,--label= --by-status "
     "--by-priority --by-type "
     "--by-assignee --by-label",
     "none", EFFECT_FETCH, BEADS},
    {"bd create",
     "mixed -t,--type= -p,--priority= -d,--description,--body= -l,--labels,--label= -a,--assignee= "
     "--title= --parent= "
     "--deps= --design= --acceptance= --notes= --external-ref= --id= --estimate,-e= "
     "--due= --defer= --metadata= --set-metadata= --spec-id= --skills= --context= --silent "
     "--dry-run --force "
     "--ephemeral --validate --stdin -f,--file=R --body-file,--description-file=R "
     "--design-file=R --graph=R",
     "@data", BEADS_CHANGES, BEADS},
    {"bd delete", "mixed -f,--force --cascade --dry-run --reason= --hard --from-file=R", "@data*",
     BEADS_CHANGES | EFFECT_LOSS, BEADS},
    {"bd dep", "mixed -b,--blocks=", "@data @data", BEADS_CHANGES, BEADS},
    {"bd dep add", "mixed -t,--type= --depends-on,--blocked-by= --file=R", "@data @data",
     BEADS_CHANGES, BEADS},
    {"bd dep cycles", "mixed", "none", EFFECT_FETCH, BEADS},
    {"bd dep list", "mixed --direction= -t,--type=", ".*", EFFECT_FETCH, BEADS},
    {"bd dep remove", "mixed", "@data @data", BEADS_CHANGES, BEADS},
    {"bd dep tree",
     "mixed --direction= --max-depth,-d= --format= --show-all-paths --status= --type=", ".",
     EFFECT_FETCH, BEADS},
    {"bd dolt", "", "sub", 0, BEADS},
    {"bd dolt commit", "mixed -m,--message=", "none", BEADS_CHANGES, BEADS},
    {"bd dolt pull", "mixed --remote=M", "none", EFFECT_FETCH | EFFECT_REPO, BEADS},
    {"bd dolt push", "mixed --remote=M ^loss--force", "none", EFFECT_SEND, BEADS},
    {"bd dolt remote", "", "{0} ^fetch none | sub", 0, BEADS},
    {"bd dolt remote add", "mixed", ".*", EFFECT_UNKNOWN, BEADS},
    {"bd dolt remote list", "mixed", "none", EFFECT_FETCH, BEADS},
    {"bd dolt remote remove", "mixed", ".*", EFFECT_UNKNOWN, BEADS},
    {"bd dolt show", "mixed", "none", EFFECT_FETCH, BEADS},
    {"bd dolt status", "mixed", "none", EFFECT_FETCH, BEADS},
    {"bd graph", "mixed --all --compact --box", ".", EFFECT_FETCH, BEADS},
    {"bd help", "", ".*", 0, BEADS},
    {"bd info", "mixed --schema --whats-new --thanks", "none", EFFECT_FETCH, BEADS},
    {"bd label", "", "sub", 0, BEADS},
    {"bd label add", "mixed", "@data*", BEADS_CHANGES, BEADS},
    {"bd label list", "mixed", ".", EFFECT_FETCH, BEADS},
    {"bd label list-all", "mixed", "none", EFFECT_FETCH, BEADS},
    {"bd label remove", "mixed", "@data*", BEADS_CHANGES, BEADS},
    {"bd link", "mixed -t,--type=", "@data @data", BEADS_CHANGES, BEADS},
    {"bd list",
     "mixed -s,--status= -t,--type= -p,--priority= -a,--assignee= -l,--label= --label-any= "
     "--parent= --limit,-n= "
     "--sort= -r,--reverse --all --id= --title= --title-contains= --desc-contains= "
     "--notes-contains= --created-after= --created-before= --updated-after= --updated-before= "
     "--closed-after= "
     "--closed-before= --priority-min= --priority-max= --no-assignee --no-labels "
     "--empty-description --long --pretty --tree --flat --ready --pinned --no-pinned --overdue "
     "--deferred --no-pager "
     "--search= --spec=",
     "none", EFFECT_FETCH, BEADS},
    {"bd note", "mixed --stdin -f,--file=R", "@data @data*", BEADS_CHANGES, BEADS},
    {"bd prime", "mixed --full --mcp --stealth --export", "none", EFFECT_FETCH, BEADS},
    {"bd prune", "mixed --dry-run --older-than= --pattern= -f,--force",
     "{--dry-run} ^fetch none | ^loss^project^repository none", 0, BEADS},
    {"bd purge", "mixed --dry-run --older-than= --pattern= -f,--force",
     "{--dry-run} ^fetch none | ^loss^project^repository none", 0, BEADS},
    {"bd query", "mixed --limit= --sort= -r,--reverse --all -a --long --parse-only", ".*",
     EFFECT_FETCH, BEADS},
    {"bd ready",
     "mixed -n,--limit= -p,--priority= -a,--assignee= -u,--unassigned -l,--label= --label-any= "
     "-s,--sort= --parent= "
     "-t,--type= --pretty --plain --mol= --include-deferred",
     "none", EFFECT_FETCH, BEADS},
    {"bd reopen", "mixed -r,--reason=", "@data*", BEADS_CHANGES, BEADS},
    {"bd search",
     "mixed -n,--limit= -s,--status= -t,--type= -a,--assignee= -l,--label= --label-any= --long "
     "--query= --sort= "
     "-r,--reverse --priority-min= --priority-max= --created-after= "
     "--updated-after= --closed-after= --desc-contains= --notes-contains= --external-contains=",
     ".*", EFFECT_FETCH, BEADS},
    {"bd set-state", "mixed --reason=", "@data @data", BEADS_CHANGES, BEADS},
    {"bd show",
     "mixed --long --short --thread --refs --children --current --local-time --as-of= --id= "
     "-w,--watch",
     ".*", EFFECT_FETCH, BEADS},
    {"bd stale", "mixed -d,--days= -n,--limit= -s,--status=", "none", EFFECT_FETCH, BEADS},
    {"bd stats", "=bd status", "", 0, BEADS},
    {"bd status", "mixed --all --assigned --no-activity", "none", EFFECT_FETCH, BEADS},
    {"bd statuses", "mixed", "none", EFFECT_FETCH, BEADS},
    {"bd unlink", "mixed", "@data @data", BEADS_CHANGES, BEADS},
    {"bd update",
     "mixed -s,--status= -p,--priority= -t,--type= -a,--assignee= --title= "
     "-d,--description,--body= --design= "
     "--acceptance= --notes= --append-notes= --external-ref= --add-label= --remove-label= "
     "--set-labels= --parent= --estimate,-e= --due= --defer= --claim --metadata= --set-metadata= "
     "--unset-metadata= "
     "--spec-id= --session= --await-id= --ephemeral --persistent --stdin "
     "--body-file,--description-file=R --design-file=R",
     "@data*", BEADS_CHANGES, BEADS},
    {"bd version", "mixed", "none", 0, BEADS},
    {"bd where", "mixed", "none", EFFECT_FETCH, BEADS},
    {"bd worktree", "", "sub", 0, BEADS},
    {"bd worktree info", "mixed", "none", EFFECT_FETCH, BEADS},
    {"bd worktree list", "mixed", "none", EFFECT_FETCH, BEADS},
    {"caffeinate", "-d -i -m -s -u -t= -w=", "{0} none | I", 0,
     "caffeinate(8); the machine stays awake meanwhile", .waits = true},
    {"claude", "%-v,--version %-h,--help", "@@data", AGENT, "claude --help"},
    {"cmd", "=", "", 0, "cmd /?", .danger = DANGER_CODE, .also = "cmd.exe"},
    {"cmd.exe", "=cmd", "", 0, "cmd /?"},
    {"codesign",
     "mixed -d,--display -v,--verify --verbose?= --deep --strict?= --entitlements=W --xml -R= "
     "--validate-constraint "
     "^system-s,--sign= ^system-f,--force ^system--remove-signature -h --requirements,-r=",
     "{-d,--display,-v,--verify,--validate-constraint,-h} B* | ^system RW*", 0, "codesign(1)"},
    {"codex", "%-V,--version %-h,--help", "@@data", AGENT, "codex --help"},
    {"convert", "%-version,--version", "^unknown RW*", EFFECT_CODE,
     "convert(1), ImageMagick; delegates run programs"},
    {"copilot", "%-v,--version %-h,--help", "@@data", AGENT, "copilot --help"},
    {"crush", "%-v,--version %-h,--help", "@@data", AGENT, "crush --help"},
    {"cursor-agent", "%-v,--version %-h,--help", "@@data", AGENT, "cursor-agent --help"},
    {"defaults", "-currentHost -host=", "sub", 0, "defaults(1)"},
    {"defaults delete", "", "@@data", EFFECT_SYSTEM | EFFECT_LOSS, "defaults(1)"},
    {"defaults domains", "", "none", 0, "defaults(1)"},
    {"defaults find", "", ".", EFFECT_SECRETS, "defaults(1)"},
    {"defaults read", "+long -g,-globalDomain -app=",
     "{0} {-app,-g} none | {0} ^secrets none | R .", 0, "defaults(1)"},
    {"defaults read-type", "+long -g,-globalDomain -app=", "R .", 0, "defaults(1)"},
    {"defaults write", "", "@@data", EFFECT_SYSTEM, "defaults(1)"},
    {"del", "=", "", 0, "del /?", .danger = DANGER_REMOVAL},
    {"diskutil", "", "^unknown .*", EFFECT_SYSTEM | EFFECT_LOSS, "diskutil(8)"},
    {"diskutil info", "mixed +long -plist -all", ".*", 0, "diskutil(8)"},
    {"diskutil list", "mixed +long -plist", ".*", 0, "diskutil(8)"},
    {"diskutil listFilesystems", "+long -plist", "none", 0, "diskutil(8)"},
    {"droid", "%-v,--version %-h,--help", "@@data", AGENT, "droid --help"},
    {"espeak",
     "+long %--version %--help %-h -a= -g= -k= -l= -p= -s= -v= -b= -f=R -w=W -x -q -z -m --stdin "
     "--stdout !--path= "
     "!--compile?= !--phonout=W",
     ".*", 0, "espeak(1)"},
    {"espeak-ng", "=espeak", "", 0, "espeak-ng(1)"},
    {"exiftool", "+long mixed %-ver -j,-json -a -s -S -s3 -n -G -g -u -U -t -T -r -h -X",
     "@nopipe*", 0,
     "exiftool(1); -if, -p and -config run Perl, -TAG= and -w write: not listed, nor any letter "
     "that they begin with"},
    {"expect", "%-v", "X*", EFFECT_CODE, "expect(1)"},
    {"ffmpeg",
     "+long %-version %-h %-help %-formats %-codecs %-encoders %-decoders %-filters -i=LR -y -n "
     "-hide_banner "
     "-v,-loglevel= -ss= -sseof= -t= -to= -r= -c,-codec= -c:v,-vcodec= -c:a,-acodec= -c:s= -b:v= "
     "-b:a= "
     "-crf= -preset= -tune= -an -vn -sn -dn -s= -ar= -ac= -aspect= -map= -pix_fmt= "
     "-frames:v,-vframes= -movflags= "
     "-shortest -stats -nostats -nostdin -threads= -q:v= -q:a= -g= -loop= -framerate= "
     "-map_metadata= -metadata= -profile:v= -level= -maxrate= -bufsize= -vsync= !-f= "
     "!-vf,-filter:v= !-af,-filter:a= "
     "!-filter_complex= !-filter_script=R !-attach=R !-passlogfile=W !-report !-progress=W",
     "LW*", 0, "ffmpeg(1); filters and some formats read and write files of their own"},
    {"ffprobe",
     "+long %-version %-h -i=LR -hide_banner -v,-loglevel= -of,-print_format,-output_format= "
     "-pretty -unit "
     "-show_format -show_streams -show_entries= -show_packets -show_frames -show_chapters "
     "-show_programs "
     "-show_error -select_streams= -count_frames -count_packets -read_intervals= -sexagesimal !-f= "
     "-o=W !-report",
     "LR", 0, "ffprobe(1)"},
    {"gemini", "%-v,--version %-h,--help", "@@data", AGENT, "gemini --help"},
    {"goose", "%-V,--version %-h,--help", "@@data", AGENT, "goose --help"},
    {"gs", "%--version %-v %-h,--help", "F*", EFFECT_CODE, "gs(1); PostScript is a program"},
    {"gsettings", "%--version", "sub", 0, "gsettings(1)"},
    {"gsettings get", "", ". .", 0, "gsettings(1)"},
    {"gsettings list-keys", "", ".", 0, "gsettings(1)"},
    {"gsettings list-recursively", "", ".", 0, "gsettings(1)"},
    {"gsettings list-schemas", "", "none", 0, "gsettings(1)"},
    {"gsettings set", "", ". . .", EFFECT_SYSTEM | EFFECT_CODE, "gsettings(1)"},
    {"hdiutil", "", "^unknown .*", EFFECT_SYSTEM, "hdiutil(1)"},
    {"hdiutil checksum", "+long mixed -type= -plist -quiet -verbose", "LR", 0, "hdiutil(1)"},
    {"hdiutil imageinfo", "+long mixed -format -checksum -plist -quiet -verbose", "LR", 0,
     "hdiutil(1)"},
    {"hdiutil info", "+long mixed -plist -quiet -verbose", "none", 0, "hdiutil(1)"},
    {"hdiutil pmap",
     "+long mixed -simple -standard -complete -diagnostic -endoffsets -nofreespace -quiet -verbose",
     "LR", 0, "hdiutil(1)"},
    {"hdiutil verify", "+long mixed -plist -quiet -verbose", "LR", 0, "hdiutil(1)"},
    {"identify", "%-version", "^unknown R*", 0,
     "identify(1), ImageMagick; names with a colon or @ are more than files"},
    {"latex", "%--version %--help", "F*", EFFECT_CODE,
     "latex(1); TeX reads and writes files, -shell-escape runs programs"},
    {"launchctl", "", "^unknown .*", EFFECT_SYSTEM | EFFECT_CODE, "launchctl(1)"},
    {"launchctl blame", "", ".", 0, "launchctl(1)"},
    {"launchctl getenv", "", ".", EFFECT_SECRETS, "launchctl(1)"},
    {"launchctl help", "", ".*", 0, "launchctl(1)"},
    {"launchctl list", "", ".", 0, "launchctl(1)"},
    {"launchctl managername", "", "none", 0, "launchctl(1)"},
    {"launchctl managerpid", "", "none", 0, "launchctl(1)"},
    {"launchctl manageruid", "", "none", 0, "launchctl(1)"},
    {"launchctl print", "", ".", EFFECT_SECRETS, "launchctl(1); shows environments"},
    {"launchctl version", "", "none", 0, "launchctl(1)"},
    {"llm", "%--version %--help", "@@data", AGENT, "llm --help"},
    {"lualatex", "=latex", "", 0, "lualatex(1)"},
    {"magick", "%-version,--version", "^unknown RW*", EFFECT_CODE, "magick(1), ImageMagick"},
    {"mdfind", "+long -name= -onlyin=r -count -0 -literal -interpret", ".*", 0, "mdfind(1)"},
    {"mdls", "+long mixed -name= -raw -nullMarker= -plist=W", "R*", 0,
     "mdls(1): attributes are of the contents, too"},
    {"mogrify", "%-version", "^unknown RW*", EFFECT_CODE, "mogrify(1), ImageMagick"},
    {"networksetup",
     "+long -listallnetworkservices -listallhardwareports -listnetworkserviceorder "
     "-detectnewhardware -getinfo "
     "-getcomputername -getdnsservers -getsearchdomains -getwebproxy -getsecurewebproxy "
     "-getsocksfirewallproxy -getproxybypassdomains -getproxyautodiscovery -getautoproxyurl "
     "-getairportnetwork "
     "-getairportpower -getmacaddress -getMTU -getmedia -listvalidmedia -listvalidMTUrange "
     "-listVLANs -listpreferredwirelessnetworks -listlocations -getcurrentlocation -printcommands "
     "-isBondSupported "
     "-getadditionalroutes -getv6additionalroutes -getnetworkserviceenabled -version -help",
     ".*", 0, "networksetup(8); what sets something is not listed"},
    {"notify-send",
     GNU_OPTIONS "-u,--urgency= -t,--expire-time= -a,--app-name= -i,--icon=R -c,--category= "
                 "-h,--hint= -p,--print-id "
                 "-r,--replace-id= -w,--wait -e,--transient",
     ". .", 0, "notify-send(1)"},
    {"open", "-R -h -a=F -b= -e -t -f -F -W -n -g -j -u=N --args", "{-R} B* | ^code N*", 0,
     "open(1), macOS", .says = "opens a page or a file in another program"},
    {"opencode", "%-v,--version %-h,--help", "@@data", AGENT, "opencode --help"},
    {"osascript", "", "X*", EFFECT_CODE, "osascript(1)"},
    {"pandoc",
     "mixed %-v,--version %-h,--help %--list-input-formats %--list-output-formats "
     "--list-extensions?= "
     "--list-highlight-languages --list-highlight-styles -f,-r,--from,--read=X "
     "-t,-w,--to,--write=X -o,--output=W "
     "-s,--standalone --toc,--table-of-contents --toc-depth= -N,--number-sections --wrap= "
     "--columns= -M,--metadata= "
     "-V,--variable= --metadata-file=R --template=LR -c,--css=LR -H,--include-in-header=LR "
     "-B,--include-before-body=LR -A,--include-after-body=LR --highlight-style=LR "
     "--extract-media=w --resource-path=r "
     "-C,--citeproc --bibliography=LR --csl=LR --reference-doc=LR --embed-resources "
     "--self-contained --atx-headers --markdown-headings= --quiet --verbose --sandbox "
     "-F,--filter=X -L,--lua-filter=F "
     "--pdf-engine=X --pdf-engine-opt=X -d,--defaults=F --data-dir=F",
     "{--sandbox} LR* | ^network LR*", 0,
     "pandoc(1); a format may be a Lua file, and images in a document are fetched"},
    {"pbcopy", "", "none", EFFECT_SYSTEM, "pbcopy(1)"},
    {"pbpaste", "", "none", EFFECT_SECRETS, "pbpaste(1)"},
    {"pdfimages", "%-v %-h -list -png -j -all -f= -l= -p", "{-list} R | ^unknown R W", 0,
     "pdfimages(1)"},
    {"pdfinfo",
     "+long %-v %-h -f= -l= -box -meta -custom -js -struct -struct-text -url -isodates -rawdates "
     "-dests -enc= -opw= "
     "-upw=",
     "R", 0, "pdfinfo(1)"},
    {"pdflatex", "=latex", "", 0, "pdflatex(1)"},
    {"pdftotext",
     "+long %-v %-h -f= -l= -r= -x= -y= -W= -H= -layout -fixed= -raw -nodiag -htmlmeta -bbox "
     "-bbox-layout -tsv -enc= "
     "-eol= -nopgbrk -q -opw= -upw=",
     "{1} cwd=W R | R W", 0, "pdftotext(1)"},
    {"pkgutil",
     "%-h,--help -v,--verbose --pkgs?= --pkgs-plist --files= --export-plist= --pkg-info= "
     "--pkg-info-plist= --lsbom= "
     "--pkg-groups= --groups --groups-plist --group-pkgs= --file-info=B --file-info-plist=B "
     "--payload-files=R "
     "--check-signature=R --bom=R --only-files --only-dirs --regexp ^system--forget= "
     "^system--learn= "
     "^system--edit-pkg= ^system--volume= "
     "--expand=R --flatten=r",
     "{--expand,--flatten} W | none", 0, "pkgutil(1)"},
    {"plutil",
     "+long -p -lint -help -s -r -o=W -e= -extract=.,. ^unknown-convert= ^unknown-insert "
     "^unknown-replace ^unknown-remove",
     "{-extract} RW* | {-p,-lint} R* | RW*", 0, "plutil(1); -extract writes its file without -o"},
    {"powershell", "", "X*", EFFECT_CODE, "powershell -?"},
    {"powershell.exe", "=", "", 0, "powershell -?", .danger = DANGER_CODE},
    {"pwsh", "%-v,--version %-h,--help", "X*", EFFECT_CODE, "pwsh -?"},
    {"q", "%-V,--version %-h,--help", "@@data", AGENT, "q --help"},
    {"qwen", "%-v,--version %-h,--help", "@@data", AGENT, "qwen --help"},
    {"reg", "", "@@data", EFFECT_SYSTEM, "reg /?"},
    {"runas", "=", "", 0, "runas /?", .danger = DANGER_RIGHTS},
    {"say",
     "mixed -v,--voice= -r,--rate= -f,--input-file=R -o,--output-file=W -i,--interactive?= "
     "--progress --quality= "
     "!-n,--network-send=N !-a,--audio-device=",
     ".*", 0, "say(1)"},
    {"screen", "+long %-v %--version -ls,-list", "{-ls} . | ^code^process .*", 0, "screen(1)"},
    {"security", "", "^unknown .*", EFFECT_SECRETS, "security(1), macOS"},
    {"security find-certificate", "-a -p -Z -c= -e= -m", "R*", 0, "security(1)"},
    {"security find-identity", "-v -p= -s=", "R*", 0, "security(1)"},
    {"security help", "", ".*", 0, "security(1)"},
    {"security list-keychains", "-d=", "none", 0, "security(1)"},
    {"sips", "+long -g,--getProperty= -1,--oneLine -s=.,. -o,--out=W -z=.,. -Z=",
     "{-s,-z,-Z} RW* | {-g} R* | RW*", 0, "sips(1)"},
    {"sox", "%--version %-h,--help", "^unknown LR+ LW", 0, "sox(1)"},
    {"soxi", "-T -V= -t -r -c -s -d -D -b -B -p -e -a", "R*", 0, "soxi(1)"},
    {"spd-say", "", "^unknown .*", 0, "spd-say(1)"},
    {"taskkill", "=", "", 0, "taskkill /?", .danger = DANGER_CONTROL},
    {"tmutil", "", "^unknown .*", EFFECT_SYSTEM, "tmutil(8)"},
    {"tmutil calculatedrift", "", "b", 0, "tmutil(8)"},
    {"tmutil destinationinfo", "-X", "none", 0, "tmutil(8)"},
    {"tmutil help", "", ".*", 0, "tmutil(8)"},
    {"tmutil isexcluded", "-X", "B*", 0, "tmutil(8)"},
    {"tmutil latestbackup", "-m -t -d=B", "none", 0, "tmutil(8)"},
    {"tmutil listbackups", "-m -t -d=B", "none", 0, "tmutil(8)"},
    {"tmutil listlocalsnapshots", "", "B", 0, "tmutil(8)"},
    {"tmutil machinedirectory", "", "none", 0, "tmutil(8)"},
    {"tmutil status", "-X", "none", 0, "tmutil(8)"},
    {"tmutil version", "", "none", 0, "tmutil(8)"},
    {"tmux", "%-V -2 -u -l -L= !-v !-C !-D !-N !-S=RW !-f=F !-c=S -T=", "@@tmux", 0, "tmux(1) 3.3"},
    {"wl-copy",
     "%-v,--version %-h,--help -n,--trim-newline -o,--paste-once -c,--clear -p,--primary "
     "-f,--foreground -s,--seat= "
     "-t,--type=",
     ".*", EFFECT_SYSTEM, "wl-copy(1)"},
    {"wl-paste",
     "%-v,--version %-h,--help -l,--list-types -n,--no-newline -p,--primary -s,--seat= -t,--type= "
     "-w,--watch=X",
     "none", EFFECT_SECRETS, "wl-paste(1)"},
    {"workmux", "%-h,--help %-V,--version", "{0} none | sub", 0, WORKMUX},
    {"workmux add", "%-h,--help", ".*", EFFECT_CODE | EFFECT_REPO, WORKMUX "; starts an agent"},
    {"workmux capture", "mixed %-h,--help -n,--lines=", ".", 0, WORKMUX},
    {"workmux close", "mixed %-h,--help", ".", EFFECT_PROCESS, WORKMUX},
    {"workmux completions", "mixed %-h,--help", ".", 0, WORKMUX},
    {"workmux docs", "mixed %-h,--help", "none", 0, WORKMUX},
    {"workmux init", "mixed %-h,--help", "cwd=W", 0, WORKMUX "; writes .workmux.yaml"},
    {"workmux list", "mixed %-h,--help --all --json ^fetch--pr", ".*", 0, WORKMUX},
    {"workmux ls", "=workmux list", "", 0, WORKMUX},
    {"workmux merge", "%-h,--help", ".*", EFFECT_CODE | EFFECT_REPO | EFFECT_LOSS,
     WORKMUX "; runs hooks"},
    {"workmux open", "%-h,--help", ".*", EFFECT_CODE, WORKMUX "; starts an agent"},
    {"workmux path", "mixed %-h,--help", ".", 0, WORKMUX},
    {"workmux reap-agents", "%-h,--help", ".*", EFFECT_PROCESS, WORKMUX},
    {"workmux remove", "%-h,--help", ".*", EFFECT_CODE | EFFECT_LOSS, WORKMUX "; runs hooks"},
    {"workmux rm", "=workmux remove", "", 0, WORKMUX},
    {"workmux run", "%-h,--help", ".*", EFFECT_CODE, WORKMUX},
    {"workmux send", "%-h,--help", ".*", EFFECT_CODE, WORKMUX "; types into another agent"},
    {"workmux setup", "%-h,--help", ".*", EFFECT_CODE, WORKMUX "; installs hooks"},
    {"workmux status", "mixed %-h,--help --json --git", ".*", 0, WORKMUX},
    {"workmux wait", "mixed %-h,--help --status= --timeout= --any", ".*", 0, WORKMUX},
    {"xattr", "-l -p -r -s -v -x -h -w -d -c",
     "{-w} ^unknown .* | {-d} . RW* | {-c} RW* | {-p} . B* | B*", 0, "xattr(1), macOS"},
    {"xclip",
     "+long %-version %-h -selection,-sel= -i,-in -o,-out -f,-filter -l,-loops= -t,-target= "
     "-d,-display= -noutf8 "
     "-rmlastnl -quiet -silent",
     "{-o} ^secrets none | ^system R*", 0, "xclip(1)"},
    {"xdg-open", "%--version %--help,--manual", "^code N", 0, "xdg-open(1)",
     .says = "opens a page or a file in another program"},
    {"xdotool", "%-v,--version %-h,--help", "@@data", EFFECT_CODE,
     "xdotool(1); types into other programs"},
    {"xelatex", "=latex", "", 0, "xelatex(1)"},
    {"xsel",
     "%--version %-h,--help -o,--output -i,--input -b,--clipboard -p,--primary -s,--secondary "
     "-c,--clear -a,--append "
     "-f,--follow -d,--delete -k,--keep -x,--exchange -n,--nodetach",
     "{-o,--output} ^secrets none | ^system none", 0, "xsel(1)"},
};

extern const struct program_file rows_desktop;
const struct program_file rows_desktop = {"programs/rows/desktop.c", rows, COUNT(rows)};
