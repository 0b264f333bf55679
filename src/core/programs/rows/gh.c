/* gh.c - the forges' own commands, and tools around git.
 *
 * gh talks to the host that its user is logged in to, with the user's token: reading is
 * EFFECT_FETCH, everything else EFFECT_SEND. Three words can name another host and are read for it:
 * --repo (HOST/OWNER/REPO), an operand that is a URL, and
 * --hostname. --jq is a program, and gh gives it the environment; --template has no such functions.
 * --web starts a browser. Flags are those of pflag: no abbreviations, in any place, and
 * --flag=false for those without a value. */
#include "programs/programs.h"

#define FLAGS  "mixed %--help "
#define REPO   "mixed %--help -R,--repo=@github "
#define JSON   "--json= -q,--jq=@jq -t,--template= "
#define WEB    "!-w,--web "
#define PAGE   "-L,--limit= "
#define ANY    "L.*"
#define BODY   "-b,--body= -F,--body-file=R !-e,--editor "
#define MANUAL "gh manual (2.23 run here; later flags from cli.github.com)"

static const struct program_row rows[] = {
    {"gh", "%--help,-h %--version -R,--repo=@github", "{0} none | sub", 0, MANUAL},
    {"gh agent-task", FLAGS, "sub", 0, MANUAL},
    {"gh agent-task create", REPO "-b,--base= -F,--from-file=R --follow --custom-agent=", ".*",
     EFFECT_SEND, MANUAL},
    {"gh agent-task list", FLAGS PAGE WEB, "none", EFFECT_FETCH, MANUAL},
    {"gh agent-task view", REPO WEB "--log --follow", ANY, EFFECT_FETCH, MANUAL},
    {"gh alias", FLAGS, "sub", 0, MANUAL},
    {"gh alias delete", FLAGS "--all", ".*", EFFECT_UNKNOWN, MANUAL},
    {"gh alias import", FLAGS "--clobber", "R", EFFECT_UNKNOWN, MANUAL},
    {"gh alias list", FLAGS, "none", 0, MANUAL},
    {"gh alias ls", "=gh alias list", "", 0, MANUAL},
    {"gh alias set", FLAGS "-s,--shell --clobber", ".*", EFFECT_CODE | EFFECT_UNKNOWN, MANUAL},
    {"gh api",
     FLAGS
     "--cache= ^send-F,--field= -H,--header= --hostname=N -i,--include ^send--input=R -q,--jq=@jq "
     "^send-X,--method= --paginate "
     "--slurp -p,--preview= ^send-f,--raw-field= --silent -t,--template=",
     ANY, EFFECT_FETCH, MANUAL "; a field turns GET into POST, @file as a field is read"},
    {"gh at", "=gh attestation", "", 0, MANUAL},
    {"gh attestation", FLAGS, "sub", 0, MANUAL, .also = "gh at"},
    {"gh attestation verify",
     FLAGS "-b,--bundle=R --bundle-from-oci --cert-identity= -i,--cert-identity-regex= "
           "--cert-oidc-issuer= "
           "--custom-trusted-root=R -d,--digest-alg= --format= -q,--jq=@jq -t,--template= "
           "-L,--limit= --no-public-good "
           "-o,--owner= --predicate-type= -R,--repo=@github --signer-digest= --signer-repo= "
           "--signer-workflow= "
           "--source-digest= --source-ref=",
     "LR", EFFECT_FETCH, MANUAL},
    {"gh auth", FLAGS, "sub", 0, MANUAL},
    {"gh auth login", FLAGS, ".*", EFFECT_NETWORK | EFFECT_UNKNOWN, MANUAL},
    {"gh auth logout", FLAGS, ".*", EFFECT_UNKNOWN, MANUAL},
    {"gh auth refresh", FLAGS, ".*", EFFECT_NETWORK | EFFECT_UNKNOWN, MANUAL},
    {"gh auth setup-git", FLAGS, ".*", EFFECT_UNKNOWN, MANUAL},
    {"gh auth status",
     FLAGS "-h,--hostname=N ^secrets-t,--show-token -a,--active --json= -q,--jq=@jq", "none",
     EFFECT_FETCH, MANUAL},
    {"gh auth switch", FLAGS, ".*", EFFECT_UNKNOWN, MANUAL},
    {"gh auth token", FLAGS "-h,--hostname= -u,--user=", "none", EFFECT_SECRETS, MANUAL},
    {"gh browse",
     REPO "-a,--actions -b,--branch= --blame -c,--commit?= -n,--no-browser -p,--projects "
          "-r,--releases -s,--settings "
          "-w,--wiki",
     "{-n} .* | ^unknown .*", 0, MANUAL},
    {"gh cache", FLAGS, "sub", 0, MANUAL},
    {"gh cache delete", REPO "-a,--all --succeed-on-no-caches -r,--ref=", ".*",
     EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh cache list", REPO JSON PAGE "-k,--key= -O,--order= -r,--ref= -S,--sort=", "none",
     EFFECT_FETCH, MANUAL},
    {"gh cache ls", "=gh cache list", "", 0, MANUAL},
    {"gh codespace", FLAGS, "sub", 0, MANUAL},
    {"gh codespace list", FLAGS JSON PAGE WEB "-o,--org= -R,--repo=@github -u,--user=", "none",
     EFFECT_FETCH, MANUAL},
    {"gh codespace logs", REPO "-c,--codespace= -f,--follow --repo-owner=", "none", EFFECT_FETCH,
     MANUAL},
    {"gh codespace ls", "=gh codespace list", "", 0, MANUAL},
    {"gh codespace ports", REPO JSON "-c,--codespace= --repo-owner=", "none", EFFECT_FETCH, MANUAL},
    {"gh codespace view", FLAGS JSON "-c,--codespace=", "none", EFFECT_FETCH, MANUAL},
    {"gh completion", FLAGS "-s,--shell=", "none", 0, MANUAL},
    {"gh config", FLAGS, "sub", 0, MANUAL},
    {"gh config clear-cache", FLAGS, "none", EFFECT_REPO, MANUAL},
    {"gh config get", FLAGS "-h,--host=", ".", EFFECT_SECRETS, MANUAL "; oauth_token is a key"},
    {"gh config list", FLAGS "-h,--host=", "none", 0, MANUAL},
    {"gh config ls", "=gh config list", "", 0, MANUAL},
    {"gh config set", FLAGS "-h,--host=", ". .", EFFECT_SYSTEM | EFFECT_UNKNOWN, MANUAL},
    {"gh copilot", "", ".*", EFFECT_CODE | EFFECT_UNKNOWN, MANUAL "; an agent of its own"},
    {"gh ext", "=gh extension", "", 0, MANUAL},
    {"gh extension", FLAGS, "sub", 0, MANUAL, .also = "gh ext,gh extensions"},
    {"gh extension exec", "", ".*", EFFECT_CODE | EFFECT_UNKNOWN, MANUAL},
    {"gh extension install", FLAGS "--force --pin=", "N", EFFECT_INSTALL | EFFECT_CODE, MANUAL},
    {"gh extension list", FLAGS, "none", 0, MANUAL},
    {"gh extension ls", "=gh extension list", "", 0, MANUAL},
    {"gh extension remove", FLAGS, ".", EFFECT_UNKNOWN, MANUAL},
    {"gh extension search", FLAGS JSON PAGE WEB "--license= --order= --owner= --sort=", ".*",
     EFFECT_FETCH, MANUAL},
    {"gh extension upgrade", FLAGS "--all --dry-run --force", ".", EFFECT_INSTALL | EFFECT_CODE,
     MANUAL},
    {"gh gist", FLAGS, "sub", 0, MANUAL},
    {"gh gist clone", FLAGS, "N w", EFFECT_NETWORK, MANUAL "; flags of git clone after --"},
    {"gh gist create", FLAGS WEB "-d,--desc= -f,--filename= -p,--public", "R*", EFFECT_SEND,
     MANUAL},
    {"gh gist delete", FLAGS "--yes", ANY, EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh gist edit", FLAGS "-a,--add=R -d,--desc= -f,--filename= -r,--remove=", "L. R", EFFECT_SEND,
     MANUAL},
    {"gh gist list", FLAGS PAGE "--public --secret --filter= --include-content", "none",
     EFFECT_FETCH, MANUAL},
    {"gh gist ls", "=gh gist list", "", 0, MANUAL},
    {"gh gist rename", FLAGS, "L. . .", EFFECT_SEND, MANUAL},
    {"gh gist view", FLAGS WEB "-f,--filename= --files -r,--raw", ANY, EFFECT_FETCH, MANUAL},
    {"gh gpg-key", FLAGS, "sub", 0, MANUAL},
    {"gh gpg-key add", FLAGS "-t,--title=", "R", EFFECT_SEND, MANUAL},
    {"gh gpg-key delete", FLAGS "-y,--yes", ".", EFFECT_SEND, MANUAL},
    {"gh gpg-key list", FLAGS, "none", EFFECT_FETCH, MANUAL},
    {"gh help", "", ".*", 0, MANUAL},
    {"gh issue", REPO, "sub", 0, MANUAL},
    {"gh issue close", REPO "-c,--comment= -r,--reason= --duplicate-of=@github", ANY, EFFECT_SEND,
     MANUAL},
    {"gh issue comment", REPO BODY WEB "--edit-last --create-if-none ^loss--delete-last --yes", ANY,
     EFFECT_SEND, MANUAL},
    {"gh issue create",
     REPO BODY WEB "-a,--assignee= -l,--label= -m,--milestone= -p,--project= --recover=R "
                   "-t,--title= -T,--template=",
     "none", EFFECT_SEND, MANUAL, .also = "gh issue new"},
    {"gh issue delete", REPO "--yes", ANY, EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh issue develop",
     REPO
     "-b,--base= --branch-repo=@github -c,--checkout -i,--issue-repo=@github -l,--list -n,--name=",
     "{-c} ^send^repository L. | {-l} ^fetch L. | ^send L.", 0, MANUAL},
    {"gh issue edit",
     REPO "--add-assignee= --add-label= --add-project= -b,--body= -F,--body-file=R -m,--milestone= "
          "--remove-assignee= "
          "--remove-label= --remove-project= --remove-milestone -t,--title=",
     ANY, EFFECT_SEND, MANUAL},
    {"gh issue list",
     REPO JSON PAGE WEB "--app= -a,--assignee= -A,--author= -l,--label= --mention= -m,--milestone= "
                        "-S,--search= -s,--state= "
                        "--type=",
     "none", EFFECT_FETCH, MANUAL},
    {"gh issue lock", REPO "-r,--reason=", ANY, EFFECT_SEND, MANUAL},
    {"gh issue ls", "=gh issue list", "", 0, MANUAL},
    {"gh issue new", "=gh issue create", "", 0, MANUAL},
    {"gh issue pin", REPO, ANY, EFFECT_SEND, MANUAL},
    {"gh issue reopen", REPO "-c,--comment=", ANY, EFFECT_SEND, MANUAL},
    {"gh issue status", REPO JSON, "none", EFFECT_FETCH, MANUAL},
    {"gh issue transfer", REPO, "L. @github", EFFECT_SEND, MANUAL},
    {"gh issue unlock", REPO, ANY, EFFECT_SEND, MANUAL},
    {"gh issue unpin", REPO, ANY, EFFECT_SEND, MANUAL},
    {"gh issue view", REPO JSON WEB "-c,--comments", ANY, EFFECT_FETCH, MANUAL},
    {"gh label", REPO, "sub", 0, MANUAL},
    {"gh label clone", REPO "-f,--force", "@github", EFFECT_SEND, MANUAL},
    {"gh label create", REPO "-c,--color= -d,--description= -f,--force", ".", EFFECT_SEND, MANUAL},
    {"gh label delete", REPO "--yes", ".", EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh label edit", REPO "-c,--color= -d,--description= -n,--name=", ".", EFFECT_SEND, MANUAL},
    {"gh label list", REPO JSON PAGE WEB "--order= -S,--search= --sort=", "none", EFFECT_FETCH,
     MANUAL},
    {"gh label ls", "=gh label list", "", 0, MANUAL},
    {"gh org", FLAGS, "sub", 0, MANUAL},
    {"gh org list", FLAGS PAGE, "none", EFFECT_FETCH, MANUAL},
    {"gh org ls", "=gh org list", "", 0, MANUAL},
    {"gh pr", REPO, "sub", 0, MANUAL},
    /* another person's code, which the next test runs, and a remote for git push */
    {"gh pr checkout", REPO "-b,--branch= --detach ^loss-f,--force ^network--recurse-submodules",
     ANY, EFFECT_FETCH | EFFECT_REPO | EFFECT_UNKNOWN, MANUAL, .also = "gh pr co"},
    {"gh pr checks", REPO JSON WEB "--fail-fast -i,--interval= --required?= --watch?=", ANY,
     EFFECT_FETCH, MANUAL},
    {"gh pr close", REPO "-c,--comment= ^loss-d,--delete-branch", ANY, EFFECT_SEND, MANUAL},
    {"gh pr co", "=gh pr checkout", "", 0, MANUAL},
    {"gh pr comment", REPO BODY WEB "--edit-last --create-if-none ^loss--delete-last --yes", ANY,
     EFFECT_SEND, MANUAL},
    {"gh pr create",
     REPO BODY WEB
     "-a,--assignee= -B,--base= -d,--draft?= --dry-run -f,--fill --fill-first --fill-verbose "
     "-H,--head= "
     "-l,--label= -m,--milestone= --no-maintainer-edit -p,--project= --recover=R -r,--reviewer= "
     "-T,--template=R -t,--title=",
     "none", EFFECT_SEND, MANUAL, .also = "gh pr new"},
    {"gh pr diff", REPO WEB "--color= --name-only --patch --allow-patch -e,--exclude=", ANY,
     EFFECT_FETCH, MANUAL},
    {"gh pr edit",
     REPO "--add-assignee= --add-label= --add-project= --add-reviewer= -B,--base= -b,--body= "
          "-F,--body-file=R "
          "-m,--milestone= --remove-assignee= --remove-label= --remove-project= --remove-reviewer= "
          "--remove-milestone "
          "-t,--title=",
     ANY, EFFECT_SEND, MANUAL},
    {"gh pr list",
     REPO JSON PAGE WEB "--app= -a,--assignee= -A,--author= -B,--base= -d,--draft?= -H,--head= "
                        "-l,--label= -S,--search= "
                        "-s,--state=",
     "none", EFFECT_FETCH, MANUAL},
    {"gh pr lock", REPO "-r,--reason=", ANY, EFFECT_SEND, MANUAL},
    {"gh pr ls", "=gh pr list", "", 0, MANUAL},
    {"gh pr merge",
     REPO "--admin -A,--author-email= --auto -b,--body= -F,--body-file=R ^loss-d,--delete-branch "
          "--disable-auto "
          "--match-head-commit= -m,--merge -r,--rebase -s,--squash -t,--subject=",
     ANY, EFFECT_SEND, MANUAL},
    {"gh pr new", "=gh pr create", "", 0, MANUAL},
    {"gh pr ready", REPO "--undo", ANY, EFFECT_SEND, MANUAL},
    {"gh pr reopen", REPO "-c,--comment=", ANY, EFFECT_SEND, MANUAL},
    {"gh pr review",
     REPO "-a,--approve -b,--body= -F,--body-file=R -c,--comment -r,--request-changes", ANY,
     EFFECT_SEND, MANUAL},
    {"gh pr status", REPO JSON "-c,--conflict-status", "none", EFFECT_FETCH, MANUAL},
    {"gh pr unlock", REPO, ANY, EFFECT_SEND, MANUAL},
    {"gh pr update-branch", REPO "--rebase", ANY, EFFECT_SEND, MANUAL},
    {"gh pr view", REPO JSON WEB "-c,--comments", ANY, EFFECT_FETCH, MANUAL},
    {"gh project", FLAGS, "sub", 0, MANUAL},
    {"gh project field-list", FLAGS PAGE "--format= -q,--jq=@jq -t,--template= --owner=", ".",
     EFFECT_FETCH, MANUAL},
    {"gh project item-add", FLAGS "--format= -q,--jq=@jq -t,--template= --owner= --url=L.", ".",
     EFFECT_SEND, MANUAL},
    {"gh project item-create",
     FLAGS "--format= -q,--jq=@jq -t,--template= --owner= --title= --body=", ".", EFFECT_SEND,
     MANUAL},
    {"gh project item-edit",
     FLAGS "--id= --field-id= --project-id= --text= --number= --date= --single-select-option-id= "
           "--iteration-id= --clear "
           "--title= --body= --format= -q,--jq=@jq -t,--template=",
     "none", EFFECT_SEND, MANUAL},
    {"gh project item-list", FLAGS PAGE "--format= -q,--jq=@jq -t,--template= --owner= --query=",
     ".", EFFECT_FETCH, MANUAL},
    {"gh project list", FLAGS PAGE WEB "--closed --format= -q,--jq=@jq -t,--template= --owner=",
     "none", EFFECT_FETCH, MANUAL},
    {"gh project ls", "=gh project list", "", 0, MANUAL},
    {"gh project view", FLAGS WEB "--format= -q,--jq=@jq -t,--template= --owner=", ".",
     EFFECT_FETCH, MANUAL},
    {"gh release", REPO, "sub", 0, MANUAL},
    {"gh release create",
     REPO
     "--discussion-category= -d,--draft?= --fail-on-no-commits --generate-notes --latest?= "
     "-n,--notes= "
     "-F,--notes-file=R "
     "--notes-from-tag --notes-start-tag= -p,--prerelease?= --target= -t,--title= --verify-tag",
     ". R*", EFFECT_SEND, MANUAL, .also = "gh release new"},
    {"gh release delete", REPO "--cleanup-tag -y,--yes", ".", EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh release delete-asset", REPO "-y,--yes", ". .", EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh release download",
     REPO "-A,--archive= --clobber -D,--dir=w -O,--output=W -p,--pattern= --skip-existing",
     "{-D,-O} . | cwd=w .", EFFECT_FETCH, MANUAL},
    {"gh release edit",
     REPO "--discussion-category= --draft?= --latest?= -n,--notes= -F,--notes-file=R "
          "--prerelease?= --tag= --target= "
          "-t,--title= --verify-tag",
     ".", EFFECT_SEND, MANUAL},
    {"gh release list", REPO JSON PAGE "--exclude-drafts --exclude-pre-releases -O,--order=",
     "none", EFFECT_FETCH, MANUAL},
    {"gh release ls", "=gh release list", "", 0, MANUAL},
    {"gh release new", "=gh release create", "", 0, MANUAL},
    {"gh release upload", REPO "--clobber", ". R*", EFFECT_SEND, MANUAL},
    {"gh release verify", REPO JSON, ".", EFFECT_FETCH, MANUAL},
    {"gh release view", REPO JSON WEB, ".", EFFECT_FETCH, MANUAL},
    {"gh repo", FLAGS, "sub", 0, MANUAL},
    {"gh repo archive", FLAGS "-y,--yes", "@github", EFFECT_SEND, MANUAL},
    {"gh repo autolink", REPO, "sub", 0, MANUAL},
    {"gh repo autolink list", REPO JSON WEB, "none", EFFECT_FETCH, MANUAL},
    {"gh repo clone", FLAGS "-u,--upstream-remote-name= --no-upstream", "N w", EFFECT_NETWORK,
     MANUAL "; flags of git clone after --"},
    {"gh repo create", FLAGS, ".*", EFFECT_SEND | EFFECT_UNKNOWN, MANUAL "; adds remotes, clones"},
    {"gh repo delete", FLAGS "--yes", "@github", EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh repo deploy-key", REPO, "sub", 0, MANUAL},
    {"gh repo deploy-key list", REPO JSON, "none", EFFECT_FETCH, MANUAL},
    {"gh repo edit", FLAGS, ".*", EFFECT_SEND | EFFECT_UNKNOWN, MANUAL},
    {"gh repo fork", FLAGS, ".*", EFFECT_SEND | EFFECT_UNKNOWN, MANUAL "; adds remotes, clones"},
    {"gh repo gitignore", FLAGS, "sub", 0, MANUAL},
    {"gh repo gitignore list", FLAGS, "none", EFFECT_FETCH, MANUAL},
    {"gh repo gitignore view", FLAGS, ".", EFFECT_FETCH, MANUAL},
    {"gh repo license", FLAGS, "sub", 0, MANUAL},
    {"gh repo license list", FLAGS, "none", EFFECT_FETCH, MANUAL},
    {"gh repo license view", FLAGS WEB, ".", EFFECT_FETCH, MANUAL},
    {"gh repo list",
     FLAGS JSON PAGE
     "--archived --fork -l,--language= --no-archived --source --topic= --visibility=",
     ".", EFFECT_FETCH, MANUAL},
    {"gh repo ls", "=gh repo list", "", 0, MANUAL},
    {"gh repo rename", REPO "-y,--yes", ".", EFFECT_SEND, MANUAL},
    {"gh repo set-default", FLAGS "!-u,--unset -v,--view", "{-v} none | ^unknown .", 0,
     MANUAL "; writes to .git/config"},
    {"gh repo sync", FLAGS "-b,--branch= ^loss--force -s,--source=@github", "@github",
     EFFECT_SEND | EFFECT_FETCH | EFFECT_REPO, MANUAL},
    {"gh repo view", FLAGS JSON WEB "-b,--branch=", "@github", EFFECT_FETCH, MANUAL},
    {"gh rs", "=gh ruleset", "", 0, MANUAL},
    {"gh ruleset", REPO, "sub", 0, MANUAL, .also = "gh rs"},
    {"gh ruleset check", REPO WEB "--default", ".", EFFECT_FETCH, MANUAL},
    {"gh ruleset list", REPO PAGE WEB "-o,--org= -p,--parents?=", "none", EFFECT_FETCH, MANUAL},
    {"gh ruleset ls", "=gh ruleset list", "", 0, MANUAL},
    {"gh ruleset view", REPO WEB "-o,--org= -p,--parents?=", ".", EFFECT_FETCH, MANUAL},
    {"gh run", REPO, "sub", 0, MANUAL},
    {"gh run cancel", REPO "--force", ".", EFFECT_SEND, MANUAL},
    {"gh run delete", REPO, ".", EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh run download", REPO "-D,--dir=w -n,--name= -p,--pattern=", "{-D} . | cwd=w .",
     EFFECT_FETCH, MANUAL},
    {"gh run list",
     REPO JSON PAGE "-a,--all -b,--branch= -c,--commit= --created= -e,--event= -s,--status= "
                    "-u,--user= -w,--workflow=",
     "none", EFFECT_FETCH, MANUAL},
    {"gh run ls", "=gh run list", "", 0, MANUAL},
    {"gh run rerun", REPO "-d,--debug --failed -j,--job=", ".", EFFECT_SEND, MANUAL},
    {"gh run view",
     REPO JSON WEB "-a,--attempt= --exit-status -j,--job= --log --log-failed -v,--verbose", ".",
     EFFECT_FETCH, MANUAL},
    {"gh run watch", REPO "--compact --exit-status -i,--interval=", ".", EFFECT_FETCH, MANUAL},
    {"gh search", FLAGS, "sub", 0, MANUAL},
    {"gh search code",
     FLAGS JSON PAGE WEB
     "--extension= --filename= --language= --match= --owner= -R,--repo= --size=",
     ".*", EFFECT_FETCH, MANUAL},
    {"gh search commits",
     FLAGS JSON PAGE WEB
     "--author= --author-date= --author-email= --author-name= --committer= --committer-date= "
     "--committer-email= --committer-name= --hash= --merge?= --order= --owner= --parent= "
     "-R,--repo= "
     "--sort= --tree= --visibility=",
     ".*", EFFECT_FETCH, MANUAL},
    {"gh search issues",
     FLAGS JSON PAGE WEB "--app= --archived?= --assignee= --author= --closed= --commenter= "
                         "--comments= --created= --include-prs "
                         "--interactions= "
                         "--involves= --label= --language= --locked?= --match= --mentions= "
                         "--milestone= --no-assignee --no-label "
                         "--no-milestone "
                         "--no-project --order= --owner= --project= --reactions= -R,--repo= "
                         "--sort= --state= --team-mentions= --updated= "
                         "--visibility=",
     ".*", EFFECT_FETCH, MANUAL},
    {"gh search prs",
     FLAGS JSON PAGE WEB "--app= --archived?= --assignee= --author= -B,--base= --checks= --closed= "
                         "--commenter= --comments= --created= "
                         "--draft?= "
                         "-H,--head= --interactions= --involves= --label= --language= --locked?= "
                         "--match= --mentions= --merged?= "
                         "--merged-at= "
                         "--milestone= --no-assignee --no-label --no-milestone --no-project "
                         "--order= --owner= --project= --reactions= "
                         "-R,--repo= "
                         "--review= --review-requested= --reviewed-by= --sort= --state= "
                         "--team-mentions= --updated= --visibility=",
     ".*", EFFECT_FETCH, MANUAL},
    {"gh search repos",
     FLAGS JSON PAGE WEB
     "--archived?= --created= --followers= --forks= --good-first-issues= --help-wanted-issues= "
     "--include-forks= --language= "
     "--license= --match= --number-topics= --order= --owner= --size= --sort= --stars= --topic= "
     "--updated= --visibility=",
     ".*", EFFECT_FETCH, MANUAL},
    {"gh secret", REPO, "sub", 0, MANUAL},
    {"gh secret delete", REPO "-a,--app= -e,--env= -o,--org= -u,--user", ".",
     EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh secret list", REPO JSON "-a,--app= -e,--env= -o,--org= -u,--user", "none", EFFECT_FETCH,
     MANUAL "; names only"},
    {"gh secret ls", "=gh secret list", "", 0, MANUAL},
    {"gh secret set",
     REPO "-a,--app= -b,--body= -e,--env= -f,--env-file=R --no-repos-selected --no-store -o,--org= "
          "-r,--repos= -u,--user "
          "-v,--visibility=",
     ".", EFFECT_SEND, MANUAL},
    {"gh ssh-key", FLAGS, "sub", 0, MANUAL},
    {"gh ssh-key add", FLAGS "-t,--title= --type=", "R", EFFECT_SEND, MANUAL},
    {"gh ssh-key delete", FLAGS "-y,--yes", ".", EFFECT_SEND, MANUAL},
    {"gh ssh-key list", FLAGS, "none", EFFECT_FETCH, MANUAL},
    {"gh status", FLAGS "-e,--exclude= -o,--org=", "none", EFFECT_FETCH, MANUAL},
    {"gh variable", REPO, "sub", 0, MANUAL},
    {"gh variable delete", REPO "-e,--env= -o,--org=", ".", EFFECT_SEND | EFFECT_LOSS, MANUAL},
    {"gh variable get", REPO JSON "-e,--env= -o,--org=", ".", EFFECT_FETCH, MANUAL},
    {"gh variable list", REPO JSON "-e,--env= -o,--org=", "none", EFFECT_FETCH, MANUAL},
    {"gh variable ls", "=gh variable list", "", 0, MANUAL},
    {"gh variable set",
     REPO "-b,--body= -e,--env= -f,--env-file=R -o,--org= -r,--repos= -v,--visibility=", ".",
     EFFECT_SEND, MANUAL},
    {"gh version", FLAGS, "none", 0, MANUAL},
    {"gh workflow", REPO, "sub", 0, MANUAL},
    {"gh workflow disable", REPO, ".", EFFECT_SEND, MANUAL},
    {"gh workflow enable", REPO, ".", EFFECT_SEND, MANUAL},
    {"gh workflow list", REPO JSON PAGE "-a,--all", "none", EFFECT_FETCH, MANUAL},
    {"gh workflow ls", "=gh workflow list", "", 0, MANUAL},
    {"gh workflow run", REPO "-F,--field= --json -f,--raw-field= -r,--ref=", ".", EFFECT_SEND,
     MANUAL},
    {"gh workflow view", REPO WEB "-r,--ref= -y,--yaml", ".", EFFECT_FETCH, MANUAL},
    {"git-lfs", "=git lfs", "", 0, "git-lfs(1)"},
    /* only what is surely reading; -R takes groups, hosts and URLs alike */
    {"glab", "%--help,-h %--version,-v", "{0} none | sub", 0, "glab --help"},
    {"glab api",
     FLAGS "^send-F,--field= -H,--header= --hostname=N -i,--include ^send--input=R "
           "^send-X,--method= --paginate "
           "^send-f,--raw-field= --silent --output=",
     ANY, EFFECT_FETCH, "glab api --help"},
    {"glab ci", FLAGS "-R,--repo=M", "sub", 0, "glab ci --help"},
    {"glab ci list",
     FLAGS "-R,--repo=M -P,--per-page= -p,--page= -s,--status= -F,--output= -o,--order-by= --sort=",
     "none", EFFECT_FETCH, "glab ci list --help"},
    {"glab ci status", FLAGS "-R,--repo=M -b,--branch= -c,--compact -l,--live", "none",
     EFFECT_FETCH, "glab ci status --help"},
    {"glab ci trace", FLAGS "-R,--repo=M -b,--branch= -p,--pipeline-id=", ".", EFFECT_FETCH,
     "glab ci trace --help"},
    {"glab issue", FLAGS "-R,--repo=M", "sub", 0, "glab issue --help"},
    {"glab issue list",
     FLAGS "-R,--repo=M -a,--assignee= --author= -l,--label= -m,--milestone= -c,--closed -A,--all "
           "--search= -P,--per-page= "
           "-p,--page= -O,--output=",
     "none", EFFECT_FETCH, "glab issue list --help"},
    {"glab issue view",
     FLAGS
     "-R,--repo=M -c,--comments -s,--system-logs -p,--page= -P,--per-page= -F,--output= !-w,--web",
     "L.", EFFECT_FETCH, "glab issue view --help"},
    {"glab mr", FLAGS "-R,--repo=M", "sub", 0, "glab mr --help"},
    {"glab mr diff", FLAGS "-R,--repo=M --color= --raw", "L.", EFFECT_FETCH, "glab mr diff --help"},
    {"glab mr list",
     FLAGS "-R,--repo=M -a,--assignee= --author= -l,--label= -m,--milestone= -c,--closed "
           "-M,--merged -A,--all -d,--draft "
           "--search= -P,--per-page= -p,--page= -F,--output= -s,--source-branch= "
           "-t,--target-branch= -r,--reviewer=",
     "none", EFFECT_FETCH, "glab mr list --help"},
    {"glab mr view",
     FLAGS
     "-R,--repo=M -c,--comments -s,--system-logs -p,--page= -P,--per-page= -F,--output= !-w,--web",
     "L.", EFFECT_FETCH, "glab mr view --help"},
    {"glab release", FLAGS "-R,--repo=M", "sub", 0, "glab release --help"},
    {"glab release list", FLAGS "-R,--repo=M -P,--per-page= -p,--page=", "none", EFFECT_FETCH,
     "glab release list --help"},
    {"glab release view", FLAGS "-R,--repo=M !-w,--web", ".", EFFECT_FETCH,
     "glab release view --help"},
    /* everything else that hub takes is git's, with git's dangers: unknown here */
    {"hub", "%--help %--version %--noop", "sub", 0, "hub(1)"},
    {"hub ci-status", "-v,--verbose -f,--format= --color?= -h,--help", ".", EFFECT_FETCH,
     "hub-ci-status(1)"},
    {"hub issue",
     "-a,--assignee= -c,--creator= --mentioned= -s,--state= -f,--format= -M,--milestone= "
     "-l,--labels= -d,--since= "
     "-o,--sort= --sort-ascending -L,--limit= --include-pulls --color?=",
     "{0} none | sub", EFFECT_FETCH, "hub-issue(1)"},
    {"hub pr", "", "sub", 0, "hub-pr(1)"},
    {"hub pr list",
     "-s,--state= -h,--head= -b,--base= -f,--format= -o,--sort= --sort-ascending -L,--limit= "
     "--color?=",
     "none", EFFECT_FETCH, "hub-pr(1)"},
    {"pre-commit", "%-h,--help %-V,--version", "{0} ^project none | sub", 0, "pre-commit --help",
     .starts_from = ".pre-commit-config.yaml"},
    {"pre-commit autoupdate",
     "mixed -c,--config=W --bleeding-edge --freeze --repo=N -j,--jobs= --color= %-h,--help", "none",
     EFFECT_FETCH | EFFECT_UNKNOWN, "pre-commit autoupdate --help"},
    {"pre-commit clean", "%-h,--help --color=", "none", EFFECT_REPO, "pre-commit clean --help"},
    {"pre-commit gc", "%-h,--help --color=", "none", EFFECT_REPO, "pre-commit gc --help"},
    {"pre-commit install", "", ".*", EFFECT_UNKNOWN, "pre-commit install --help; writes hooks"},
    {"pre-commit install-hooks", "mixed -c,--config=F --color= %-h,--help", "none", EFFECT_INSTALL,
     "pre-commit install-hooks --help"},
    /* installs the environments of the hooks when they are used first, as other builds do with what
       they depend on */
    {"pre-commit run",
     "mixed abbrev -c,--config=F --color= -v,--verbose -a,--all-files --files "
     "--show-diff-on-failure "
     "--hook-stage,--stage= -s,--from-ref,--source= -o,--to-ref,--origin= --remote-branch= "
     "--local-branch= "
     "--commit-msg-filename=R --prepare-commit-message-source= --commit-object-name= "
     "--remote-name= --remote-url= "
     "--checkout-type= --is-squash-merge= --rewrite-command= %-h,--help",
     "{--files} w* | .", EFFECT_PROJECT, "pre-commit run --help"},
    {"pre-commit sample-config", "%-h,--help --color=", "none", 0,
     "pre-commit sample-config --help"},
    {"pre-commit uninstall", "", ".*", EFFECT_UNKNOWN,
     "pre-commit uninstall --help; removes hooks"},
    {"pre-commit validate-config", "mixed --color= %-h,--help", "R*", 0,
     "pre-commit validate-config --help"},
    {"pre-commit validate-manifest", "mixed --color= %-h,--help", "R*", 0,
     "pre-commit validate-manifest --help"},
    /* its keys run commands, and its configuration binds them */
    {"tig", "%-h,--help %-v,--version", ".*", EFFECT_CODE, "tig(1)"},
};

extern const struct program_file rows_gh;
const struct program_file rows_gh = {"programs/rows/gh.c", rows, COUNT(rows)};
