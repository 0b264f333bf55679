/* cloud.c - rows: clients of clouds, hosting platforms and databases.
 *
 * Lists and descriptions of what the user's own account has are fetches. What prints keys, tokens,
 * variables or connection strings is a secret. A query in a language of its own (SQL, Lua,
 * JavaScript) is code, because the clients themselves have commands in it that run programs and
 * write files (\!, .shell, writefile). */
#include "programs/programs.h"

static const struct program_row rows[] = {
    {"aws",
     "%--version --output= --query= --region= --profile= --color= ^secrets--debug --no-cli-pager "
     "--no-paginate "
     "--no-cli-auto-prompt "
     "--cli-read-timeout= --cli-connect-timeout= --endpoint-url=@url !--no-verify-ssl "
     "!--ca-bundle=R "
     "!--no-sign-request",
     "@@aws", 0, "aws help, AWS CLI 2", .danger = DANGER_NETWORK},
    {"az", "%--version %-h,--help", "@@az", 0, "az --help 2.6", .danger = DANGER_NETWORK},
    {"cf", "%-v,--version %-h,--help", "sub", 0, "cf help 8"},
    {"cf app", "", ".*", EFFECT_FETCH, "cf help 8"},
    {"cf apps", "", ".*", EFFECT_FETCH, "cf help 8"},
    {"cf env", "", ".*", EFFECT_FETCH | EFFECT_SECRETS, "cf help 8"},
    {"cf events", "", ".*", EFFECT_FETCH, "cf help 8"},
    {"cf logs", "mixed --recent", ".", EFFECT_FETCH, "cf help 8"},
    {"cf push", "", "@@data", EFFECT_SEND, "cf help 8"},
    {"cf routes", "", ".*", EFFECT_FETCH, "cf help 8"},
    {"cf services", "", ".*", EFFECT_FETCH, "cf help 8"},
    {"createdb",
     "mixed %-V,--version %--help -e,--echo -E,--encoding= -l,--locale= -O,--owner= -T,--template= "
     "-D,--tablespace= "
     "-h,--host=N "
     "-p,--port= -U,--username= -w,--no-password -W,--password --maintenance-db=@dbname",
     "^send . .", 0, "createdb(1)"},
    {"createuser", "mixed %-V,--version %--help", "^send^unknown .*", 0, "createuser(1)"},
    {"doctl",
     "global %-h,--help -o,--output= --no-header --format= !-c,--config=R -v,--verbose --context= "
     "!-t,--access-token= "
     "!-u,--api-url=N",
     "sub", 0, "doctl --help"},
    {"doctl account", "", "sub", 0, "doctl --help"},
    {"doctl account get", "mixed", ".*", EFFECT_FETCH, "doctl --help"},
    {"doctl apps", "", "sub", 0, "doctl --help"},
    {"doctl apps get", "mixed", ".*", EFFECT_FETCH, "doctl --help"},
    {"doctl apps list", "mixed", ".*", EFFECT_FETCH, "doctl --help"},
    {"doctl apps logs", "mixed --type= --follow -f --tail= --deployment=", ".*", EFFECT_FETCH,
     "doctl --help"},
    {"doctl compute", "", "sub", 0, "doctl --help"},
    {"doctl compute droplet", "", "sub", 0, "doctl --help"},
    {"doctl compute droplet get", "mixed", ".*", EFFECT_FETCH, "doctl --help"},
    {"doctl compute droplet list", "mixed --region= --tag-name=", ".*", EFFECT_FETCH,
     "doctl --help"},
    {"doctl kubernetes", "", "sub", 0, "doctl --help"},
    {"doctl kubernetes cluster", "", "sub", 0, "doctl --help"},
    {"doctl kubernetes cluster get", "mixed", ".*", EFFECT_FETCH, "doctl --help"},
    {"doctl kubernetes cluster list", "mixed", ".*", EFFECT_FETCH, "doctl --help"},
    {"doctl version", "mixed", "none", 0, "doctl --help"},
    {"dropdb",
     "mixed %-V,--version %--help -e,--echo -f,--force -i,--interactive --if-exists -h,--host=N "
     "-p,--port= "
     "-U,--username= -w,--no-password "
     "-W,--password --maintenance-db=@dbname",
     "^send^loss .", 0, "dropdb(1)"},
    {"duckdb", "%-version,--version %-help", "^code R .*", 0, "duckdb -help"},
    {"eb", "%--version %-h,--help", "@@data", EFFECT_SEND, "eb --help"},
    {"firebase",
     "global %-V,--version %-h,--help -P,--project= --account= -j,--json --non-interactive --debug "
     "!--token= "
     "!-c,--config=R",
     "sub", 0, "firebase --help"},
    {"firebase apps:list", "mixed", ".*", EFFECT_FETCH, "firebase --help"},
    {"firebase deploy", "", "@@data", EFFECT_SEND | EFFECT_CODE, "firebase --help"},
    {"firebase emulators:exec", "", "@@data", EFFECT_CODE, "firebase --help"},
    {"firebase emulators:start", "", "@@data", EFFECT_CODE, "firebase --help"},
    {"firebase functions:list", "mixed", "none", EFFECT_FETCH, "firebase --help"},
    {"firebase functions:log", "mixed -n,--lines= --only=", "none", EFFECT_FETCH,
     "firebase --help"},
    {"firebase hosting:channel:list", "mixed --site=", "none", EFFECT_FETCH, "firebase --help"},
    {"firebase hosting:sites:list", "mixed", "none", EFFECT_FETCH, "firebase --help"},
    {"firebase projects:list", "mixed", "none", EFFECT_FETCH, "firebase --help"},
    {"fly", "=flyctl", "", 0, "flyctl help"},
    {"flyctl",
     "global %-h,--help -a,--app= -j,--json --verbose --debug !-t,--access-token= !-c,--config=R "
     "-o,--org=",
     "sub", 0, "flyctl help", .also = "fly"},
    {"flyctl apps", "", "sub", 0, "flyctl help"},
    {"flyctl apps list", "mixed -q,--quiet", "none", EFFECT_FETCH, "flyctl help"},
    {"flyctl config", "", "sub", 0, "flyctl help"},
    {"flyctl config show", "mixed --local --toml", "none", EFFECT_FETCH | EFFECT_SECRETS,
     "flyctl help"},
    {"flyctl deploy", "", "@@data", EFFECT_SEND | EFFECT_CODE, "flyctl help"},
    {"flyctl ips", "", "sub", 0, "flyctl help"},
    {"flyctl ips list", "mixed", "none", EFFECT_FETCH, "flyctl help"},
    {"flyctl logs", "mixed -n,--no-tail -i,--instance= -r,--region= --machine=", "none",
     EFFECT_FETCH, "flyctl help"},
    {"flyctl machine", "", "sub", 0, "flyctl help"},
    {"flyctl machine list", "mixed -q,--quiet", "none", EFFECT_FETCH, "flyctl help"},
    {"flyctl machine status", "mixed", ".", EFFECT_FETCH, "flyctl help"},
    {"flyctl releases", "mixed --image", "none", EFFECT_FETCH, "flyctl help"},
    {"flyctl secrets", "", "sub", 0, "flyctl help"},
    {"flyctl secrets list", "mixed", "none", EFFECT_FETCH, "flyctl help; names and digests only"},
    {"flyctl ssh", "", "@@data", EFFECT_CODE | EFFECT_NETWORK, "flyctl help"},
    {"flyctl status", "mixed --all --deployment --rate= --region= --watch", "none", EFFECT_FETCH,
     "flyctl help"},
    {"flyctl version", "mixed", "none", 0, "flyctl help"},
    {"flyctl volumes", "", "sub", 0, "flyctl help"},
    {"flyctl volumes list", "mixed", "none", EFFECT_FETCH, "flyctl help"},
    {"gcloud",
     "%--version %-v %-h,--help --project= --account= --format= --filter= --limit= --quiet,-q "
     "--verbosity= "
     "--configuration= --region= --zone= "
     "--no-user-output-enabled !--flags-file=R !--access-token-file=R "
     "!--impersonate-service-account= "
     "!--billing-project= !--log-http",
     "@@gcloud", 0, "gcloud help", .danger = DANGER_NETWORK, .same = "-v,--version"},
    {"gsutil", "-m -q -D -u= !-o= !-h= !-i=", "sub", 0, "gsutil help"},
    {"gsutil du", "-s -h -c -a -0", "N*", EFFECT_FETCH, "gsutil help"},
    {"gsutil ls", "-l -L -b -r,-R -a -d -h -p=", "{0} none | N*", EFFECT_FETCH, "gsutil help"},
    {"gsutil version", "-l", "none", 0, "gsutil help"},
    {"heroku", "%-v,--version %-h,--help", "sub", 0, "heroku help"},
    {"heroku apps", "mixed -A,--all -t,--team= --json -p,--personal -s,--space=", "none",
     EFFECT_FETCH, "heroku help"},
    {"heroku apps:info", "mixed -a,--app= -r,--remote= -s,--shell -j,--json", ".", EFFECT_FETCH,
     "heroku help"},
    {"heroku config", "mixed -a,--app= -r,--remote= -j,--json -s,--shell", "none",
     EFFECT_FETCH | EFFECT_SECRETS, "heroku help"},
    {"heroku config:get", "mixed -a,--app= -r,--remote= -s,--shell", ".*",
     EFFECT_FETCH | EFFECT_SECRETS, "heroku help"},
    {"heroku domains", "mixed -a,--app= -r,--remote= -j,--json", "none", EFFECT_FETCH,
     "heroku help"},
    {"heroku logs",
     "mixed -a,--app= -r,--remote= -n,--num= -d,--dyno-name= -p,--process-type= -s,--source= "
     "-t,--tail --no-color",
     "none", EFFECT_FETCH, "heroku help"},
    {"heroku ps", "mixed -a,--app= -r,--remote= --json", ".*", EFFECT_FETCH, "heroku help"},
    {"heroku releases", "mixed -a,--app= -r,--remote= -n,--num= --json", "none", EFFECT_FETCH,
     "heroku help"},
    {"heroku run", "", "@@data", EFFECT_CODE | EFFECT_SEND, "heroku help"},
    {"heroku version", "", "none", 0, "heroku help"},
    {"influx", "%--help", "@@data", EFFECT_CODE, "influx --help"},
    {"mariadb", "=mysql", "", 0, "mariadb(1)"},
    {"mariadb-dump", "=mysqldump", "", 0, "mariadb-dump(1)"},
    {"mongo", "=mongosh", "", 0, "mongo --help"},
    {"mongodump", "%--version %--help", "@@data", EFFECT_NETWORK, "mongodump --help"},
    {"mongorestore", "%--version %--help", "@@data", EFFECT_NETWORK, "mongorestore --help"},
    {"mongosh",
     "mixed %--version %--help --quiet --host=N --port= --eval=X -f,--file=F -u,--username= "
     "-p,--password= --json "
     "--norc --nodb",
     "^code L. F*", 0, "mongosh --help", .also = "mongo", .says = "runs commands in a database"},
    {"mysql",
     "mixed %-V,--version %-?,--help -h,--host=N -P,--port= -u,--user= -p,--password?= "
     "-D,--database= -e,--execute=X "
     "-B,--batch -N,--skip-column-names "
     "-s,--silent -t,--table -v,--verbose -H,--html -X,--xml -E,--vertical -A,--no-auto-rehash "
     "-f,--force -r,--raw "
     "--protocol= -S,--socket=R "
     "!--defaults-file=R !--defaults-extra-file=R !--pager=X !--tee=W !--init-command=X "
     "!--plugin-dir=F --ssl "
     "--ssl-mode=",
     "^code .", 0, "mysql(1)", .also = "mariadb", .says = "runs SQL in a database"},
    {"mysqladmin",
     "%-V,--version %-?,--help -h,--host=N -P,--port= -u,--user= -p,--password?= -S,--socket=R "
     "-s,--silent "
     "-v,--verbose --protocol= "
     "!--defaults-file=R !--defaults-extra-file=R",
     "sub", 0, "mysqladmin(1)"},
    {"mysqladmin ping", "=mysqladmin status", "", 0, "mysqladmin(1)"},
    {"mysqladmin processlist", "=mysqladmin status", "", 0, "mysqladmin(1)"},
    {"mysqladmin status",
     "mixed -h,--host=N -P,--port= -u,--user= -p,--password?= -S,--socket=R -s,--silent", "none",
     EFFECT_FETCH, "mysqladmin(1)"},
    {"mysqladmin version", "=mysqladmin status", "", 0, "mysqladmin(1)"},
    {"mysqldump",
     "mixed %-V,--version %-?,--help -h,--host=N -P,--port= -u,--user= -p,--password?= "
     "-r,--result-file=W -T,--tab=w "
     "--no-data,-d "
     "--single-transaction --routines,-R --triggers --databases,-B --all-databases,-A "
     "--add-drop-table --where,-w= "
     "!--defaults-file=R",
     "^secrets .*", EFFECT_FETCH, "mysqldump(1); the whole content of a database",
     .also = "mariadb-dump"},
    {"netlify", "%--version,-V %-h,--help", "sub", 0, "netlify help"},
    {"netlify api", "", "@@data", EFFECT_SEND, "netlify help"},
    {"netlify deploy", "", "@@data", EFFECT_SEND | EFFECT_CODE, "netlify help"},
    {"netlify env:list", "mixed --json --context= --scope= --plain", "none",
     EFFECT_FETCH | EFFECT_SECRETS, "netlify help"},
    {"netlify sites:list", "mixed --json", "none", EFFECT_FETCH, "netlify help"},
    {"netlify status", "mixed --verbose --json", "none", EFFECT_FETCH, "netlify help"},
    {"pg_dump",
     "mixed %-V,--version %-?,--help -h,--host=N -p,--port= -U,--username= -d,--dbname=@dbname "
     "-w,--no-password "
     "-W,--password -f,--file=w -F,--format= -j,--jobs= "
     "-v,--verbose -Z,--compress= -a,--data-only -s,--schema-only -c,--clean -C,--create "
     "-n,--schema= "
     "-N,--exclude-schema= -t,--table= "
     "-T,--exclude-table= -O,--no-owner -x,--no-privileges,--no-acl --if-exists --inserts "
     "--column-inserts",
     "{-s,--schema-only} @dbname | ^secrets @dbname", EFFECT_FETCH, "pg_dump(1)"},
    {"pg_isready",
     "mixed %-V,--version %-?,--help -d,--dbname=@dbname -h,--host=N -p,--port= -U,--username= "
     "-q,--quiet "
     "-t,--timeout=",
     "none", EFFECT_FETCH, "pg_isready(1)"},
    {"pg_restore",
     "mixed %-V,--version %-?,--help -l,--list -d,--dbname=@dbname -h,--host=N -p,--port= "
     "-U,--username= -f,--file=W "
     "-F,--format= -c,--clean -C,--create "
     "-j,--jobs= -v,--verbose -O,--no-owner -x,--no-privileges,--no-acl --if-exists -n,--schema= "
     "-t,--table= "
     "-a,--data-only -s,--schema-only -L,--use-list=R",
     "{-l,--list} r | ^code^loss r", 0, "pg_restore(1)"},
    {"psql",
     "mixed %-V,--version %-?,--help -l,--list -c,--command=X -f,--file=F -h,--host=N -p,--port= "
     "-U,--username= "
     "-d,--dbname=@dbname -w,--no-password "
     "-W,--password -X,--no-psqlrc -q,--quiet -t,--tuples-only -A,--no-align -a,--echo-all "
     "-b,--echo-errors "
     "-e,--echo-queries -E,--echo-hidden "
     "-F,--field-separator= -R,--record-separator= -H,--html --csv -P,--pset= -s,--single-step "
     "-S,--single-line "
     "-x,--expanded -z,--field-separator-zero "
     "-0,--record-separator-zero -1,--single-transaction -n,--no-readline !-v,--set,--variable= "
     "-o,--output=W "
     "-L,--log-file=W",
     "{-l,--list} ^fetch @dbname . | ^code @dbname .", 0, "psql(1) 15",
     .says = "runs SQL in a database"},
    {"railway", "%-V,--version %-h,--help", "sub", 0, "railway help"},
    {"railway list", "mixed --json", "none", EFFECT_FETCH, "railway help"},
    {"railway logs", "mixed -d,--deployment -b,--build --json -s,--service= -e,--environment=", ".",
     EFFECT_FETCH, "railway help"},
    {"railway run", "", "I", EFFECT_CODE | EFFECT_SECRETS, "railway help"},
    {"railway status", "mixed --json", "none", EFFECT_FETCH, "railway help"},
    {"railway up", "", "@@data", EFFECT_SEND, "railway help"},
    {"railway variables", "", "@@data", EFFECT_SECRETS, "railway help"},
    {"railway whoami", "", "none", EFFECT_FETCH, "railway help"},
    {"rclone", "%--version %-h,--help", "sub", 0, "rclone help", .danger = DANGER_NETWORK},
    {"rclone config", "", "@@data", EFFECT_SECRETS, "rclone help"},
    {"rclone copy", "", "@@data", EFFECT_NETWORK, "rclone help"},
    {"rclone listremotes", "mixed --long --type=", "none", 0, "rclone help"},
    {"rclone sync", "", "@@data", EFFECT_NETWORK | EFFECT_LOSS, "rclone help"},
    {"rclone version", "", "none", 0, "rclone help"},
    {"redis-cli",
     "%-v,--version %--help -h=N -p= -n= -u=N -a= --user= --pass= --no-auth-warning --raw --no-raw "
     "--csv --json -2 -3 "
     "--tls --insecure --cacert=R -t= "
     "!-s=RW ^send-x ^send-X= -r= -i= --latency --stat --bigkeys --memkeys --scan --pattern= "
     "!--eval=F "
     "!--pipe !--rdb=W "
     "!--cluster",
     "{--latency,--stat,--bigkeys,--memkeys,--scan} ^fetch none | ^send .*", 0,
     "redis-cli --help 7"},
    {"redis-cli DBSIZE", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli EXISTS", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli GET", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli HGETALL", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli INFO", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli KEYS", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli LLEN", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli PING", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli SCAN", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli TTL", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli TYPE", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli dbsize", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli exists", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli get", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli hgetall", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli info", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli keys", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli llen", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli ping", "", ".*", EFFECT_FETCH, "redis.io/commands"},
    {"redis-cli scan", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli ttl", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"redis-cli type", "=redis-cli ping", "", 0, "redis.io/commands"},
    {"s3cmd", "%--version %-h,--help", "sub", 0, "s3cmd(1)"},
    {"s3cmd ls", "mixed -r,--recursive -H,--human-readable-sizes -l,--long-listing --limit=",
     "{0} none | N*", EFFECT_FETCH, "s3cmd(1)"},
    {"sqlcmd", "%-? %--help", "@@data", EFFECT_CODE, "sqlcmd -?"},
    {"sqlite3",
     "+long %-version,--version %-help -readonly -header,-headers -noheader -column -csv -json "
     "-line -list -box -table "
     "-markdown -html -quote -tabs -ascii "
     "-separator= -nullvalue= -newline= -batch -bail -echo -stats -safe -memtrace -mmap= "
     "-cmd=@query -interactive "
     "-init=F !-A -append -deserialize "
     "-vfs= -zip -lookaside=.,. -maxsize= -nofollow -pagecache=.,. -unsafe-testing",
     "{0} ^code none | {1} ^code RW | {-safe} @dbfile @sqlite* | @dbfile @query*", 0,
     "sqlite3(1) 3.40; @sqlite passes queries that only read", .says = "runs SQL in a database"},
    {"supabase", "%-v,--version %-h,--help", "sub", 0, "supabase help"},
    {"supabase db", "", "sub", 0, "supabase help"},
    {"supabase db push", "", "@@data", EFFECT_SEND, "supabase help"},
    {"supabase db reset", "", "@@data", EFFECT_LOSS, "supabase help"},
    {"supabase functions", "", "sub", 0, "supabase help"},
    {"supabase functions list", "mixed --project-ref= -o,--output=", "none", EFFECT_FETCH,
     "supabase help"},
    {"supabase migration", "", "sub", 0, "supabase help"},
    {"supabase migration list", "mixed --linked --local", "none", EFFECT_FETCH, "supabase help"},
    {"supabase projects", "", "sub", 0, "supabase help"},
    {"supabase projects list", "mixed -o,--output=", "none", EFFECT_FETCH, "supabase help"},
    {"supabase start", "", "@@data", EFFECT_CODE, "supabase help"},
    {"supabase status", "mixed -o,--output= --override-name=", "none",
     EFFECT_FETCH | EFFECT_SECRETS, "supabase help; prints keys"},
    {"vercel",
     "global %-v,--version %-h,--help -d,--debug --no-color -S,--scope= -T,--team= --cwd=P "
     "!-A,--local-config=R "
     "!-Q,--global-config=R !-t,--token=",
     "sub", 0, "vercel help"},
    {"vercel deploy", "", "@@data", EFFECT_SEND | EFFECT_CODE, "vercel help"},
    {"vercel env", "", "sub", 0, "vercel help"},
    {"vercel env ls", "mixed", ".*", EFFECT_FETCH, "vercel help; names only"},
    {"vercel env pull", "mixed", "W", EFFECT_FETCH | EFFECT_SECRETS, "vercel help"},
    {"vercel inspect", "mixed --json --logs -l --timeout=", ".", EFFECT_FETCH, "vercel help"},
    {"vercel list", "mixed -m,--meta= --environment= -s,--status= --prod --next= -N", ".",
     EFFECT_FETCH, "vercel help"},
    {"vercel logs", "mixed -j,--json", ".", EFFECT_FETCH, "vercel help"},
    {"vercel ls", "=vercel list", "", 0, "vercel help"},
    {"vercel whoami", "mixed", "none", EFFECT_FETCH, "vercel help"},
    {"wrangler", "global %-v,--version %-h,--help !-c,--config=R -e,--env= --cwd=P !--env-file=R",
     "sub", 0, "wrangler --help 4"},
    {"wrangler d1", "", "sub", 0, "wrangler --help 4"},
    {"wrangler d1 list", "mixed --json", "none", EFFECT_FETCH, "wrangler --help 4"},
    {"wrangler deploy", "", "@@data", EFFECT_SEND | EFFECT_CODE, "wrangler --help 4"},
    {"wrangler deployments", "", "sub", 0, "wrangler --help 4"},
    {"wrangler deployments list", "mixed --name= --json", "none", EFFECT_FETCH,
     "wrangler --help 4"},
    {"wrangler dev", "", "@@data", EFFECT_CODE, "wrangler --help 4"},
    {"wrangler kv", "", "sub", 0, "wrangler --help 4"},
    {"wrangler kv namespace", "", "sub", 0, "wrangler --help 4"},
    {"wrangler kv namespace list", "mixed", "none", EFFECT_FETCH, "wrangler --help 4"},
    {"wrangler secret", "", "sub", 0, "wrangler --help 4"},
    {"wrangler secret list", "mixed --name= --format=", "none", EFFECT_FETCH,
     "wrangler --help 4; names only"},
    {"wrangler tail", "mixed --format= --status= --search=", ".", EFFECT_FETCH,
     "wrangler --help 4"},
    {"wrangler types", "mixed", "^unknown W", EFFECT_PROJECT, "wrangler --help 4"},
    {"wrangler whoami", "mixed", "none", EFFECT_FETCH, "wrangler --help 4"},
};

extern const struct program_file rows_cloud;
const struct program_file rows_cloud = {"programs/rows/cloud.c", rows, COUNT(rows)};
