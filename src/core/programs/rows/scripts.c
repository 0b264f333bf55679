/* scripts.c - Ruby, PHP, Perl, Lua, R, Julia.
 *
 * An interpreter with inline code, a named script or a program from its standard input is
 * EFFECT_CODE, whatever the script is; a caller that knows the file may say otherwise (role Z). */
#include "programs/reading.h"
#include "programs/rows/starts_from.h"

/* clang-format off */
#define BUNDLE_HOSTS "Gemfile Gemfile.lock gems.rb"
#define COMPOSER_HOSTS "composer.json composer.lock"
#define COMPOSER \
    "-h,--help -q,--quiet --ansi --no-ansi -n,--no-interaction --profile --no-plugins " \
    "--no-scripts -d,--working-dir=P --no-cache -v,-vv,-vvv,--verbose"

static const struct program_row rows[] = {
    {"R", "%-h,--help %--version", "X*", EFFECT_CODE,
     "cran.r-project.org/doc/manuals/r-release/R-intro.html", .launches = ""},
    {"Rscript", "%--help %--version -e=X", "X*", EFFECT_CODE,
     "cran.r-project.org/doc/manuals/r-release/R-intro.html", .launches = ""},
    {"artisan", "%-h,--help %-V,--version", "X*", EFFECT_CODE, "php artisan "
     "(laravel.com/docs/artisan)"},
    {"bundle",
     "%-h,--help %-v,--version --no-color -V,--verbose",
     "{0} ^install none | sub", 0, "bundler.io/man/bundle.1.html", .fronted = true,
     .starts_from = RUBY_FILES, .also = "bundler", .bare = "install", .kit = "rubygems", .set_by = "BUNDLE_*"},
    {"bundle check", "--dry-run --gemfile=R", "none", EFFECT_PROJECT, "bundler.io/man/bundle.1.html"
     },
    {"bundle exec", "--keep-file-descriptors", "I", EFFECT_PROJECT, "bundler.io/man/bundle.1.html", .waits = true},
    {"bundle info", "mixed --path", ".", EFFECT_PROJECT, "bundler.io/man/bundle.1.html"},
    {"bundle install",
     "mixed --jobs,-j= --retry= --quiet --local --frozen --deployment --without= --with= --path=W",
     "none", EFFECT_INSTALL, "bundler.io/man/bundle.1.html"},
    {"bundle list",
     "mixed --name-only --paths --without-group= --only-group=",
     "none", EFFECT_PROJECT, "bundler.io/man/bundle.1.html"},
    {"bundle lock",
     "mixed --update --add-platform= --print",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "bundler.io/man/bundle.1.html",
     .hosts_in = BUNDLE_HOSTS},
    {"bundle outdated",
     "mixed --strict --parseable,--porcelain --group= --groups --major --minor --patch",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "bundler.io/man/bundle.1.html",
     .hosts_in = BUNDLE_HOSTS},
    {"bundle show", "--paths", ".", EFFECT_PROJECT, "bundler.io/man/bundle.1.html"},
    {"bundle update",
     "mixed --all -g,--group= --patch --minor --major --conservative --jobs,-j= --bundler",
     ".*", EFFECT_INSTALL, "bundler.io/man/bundle.1.html"},
    {"bundle version", "", "none", 0, "bundler.io/man/bundle.1.html"},
    {"bundler", "=bundle", "", 0, "bundler.io/man/bundle.1.html"},
    {"composer", "global " COMPOSER " -V,--version", "sub", 0, "getcomposer.org/doc/03-cli.md",
     .starts_from = PHP_FILES, .set_by = "COMPOSER_*"},
    {"composer about", "", "none", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md"},
    {"composer analyse", "=composer test", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer audit",
     "mixed --no-dev -f,--format= --locked --abandoned=",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "getcomposer.org/doc/03-cli.md",
     .hosts_in = COMPOSER_HOSTS},
    {"composer check", "=composer test", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer check-platform-reqs",
     "mixed --no-dev --lock -f,--format=",
     "none", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md"},
    {"composer cs", "=composer test", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer cs-fix", "=composer test", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer depends",
     "mixed -r,--recursive -t,--tree --locked",
     ".*", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md"},
    {"composer diagnose", "", "none", EFFECT_PROJECT | EFFECT_FETCH, "getcomposer.org/doc/03-cli.md"
     ,
     .hosts_in = COMPOSER_HOSTS},
    {"composer du", "=composer dump-autoload", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer dump-autoload",
     "mixed -o,--optimize --no-dev -a,--classmap-authoritative --dry-run --strict-psr",
     "none", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md"},
    {"composer dumpautoload", "=composer dump-autoload", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer exec", "-l,--list", "X*", EFFECT_CODE, "getcomposer.org/doc/03-cli.md"},
    {"composer fund", "-f,--format=", "none", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md"},
    {"composer i", "=composer install", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer info", "=composer show", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer install",
     "mixed --prefer-dist --prefer-source --dry-run --dev --no-dev --no-progress "
     "-o,--optimize-autoloader -a,--classmap-authoritative --no-suggest --no-autoloader "
     "--ignore-platform-reqs --ignore-platform-req=",
     "none", EFFECT_INSTALL, "getcomposer.org/doc/03-cli.md", .also = "composer i"},
    {"composer licenses", "mixed -f,--format= --no-dev", "none", EFFECT_PROJECT,
     "getcomposer.org/doc/03-cli.md"},
    {"composer lint", "=composer test", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer outdated",
     "mixed -D,--direct -a,--all -m,--minor-only -p,--patch-only -M,--major-only -f,--format= "
     "--strict --locked --no-dev",
     ".", EFFECT_PROJECT | EFFECT_FETCH, "getcomposer.org/doc/03-cli.md",
     .hosts_in = COMPOSER_HOSTS},
    {"composer phpstan", "=composer test", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer prohibits", "=composer depends", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer remove",
     "mixed --dev --dry-run --no-update -W,--with-all-dependencies",
     ".*", EFFECT_INSTALL, "getcomposer.org/doc/03-cli.md"},
    {"composer require",
     "mixed --dev --dry-run --no-update --no-install -W,--with-all-dependencies "
     "-w,--with-dependencies --prefer-dist --ignore-platform-reqs",
     ".*", EFFECT_INSTALL, "getcomposer.org/doc/03-cli.md"},
    {"composer run", "=composer run-script", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer run-script",
     "--timeout= --dev --no-dev -l,--list",
     "{-l} ^project none | ^project @taskname @arg*", 0, "getcomposer.org/doc/03-cli.md", .also = "composer run"},
    {"composer search",
     "mixed -N,--only-name -O,--only-vendor -t,--type= -f,--format=",
     ".*", EFFECT_FETCH | EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md",
     .hosts_in = COMPOSER_HOSTS},
    {"composer show",
     "mixed --all --locked -i,--installed -p,--platform -a,--available -s,--self -N,--name-only "
     "-P,--path -t,--tree ^fetch-l,--latest ^fetch-o,--outdated -D,--direct -f,--format= --no-dev",
     ".*", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md", .also = "composer info"},
    {"composer status", "-v", "none", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md"},
    {"composer suggests",
     "mixed --all --list --by-package --no-dev",
     ".*", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md"},
    {"composer test", "", "@@args", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md"},
    {"composer u", "=composer update", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer update",
     "mixed --prefer-dist --dry-run --dev --no-dev --lock --no-install --no-progress "
     "-w,--with-dependencies -W,--with-all-dependencies --with= --ignore-platform-reqs "
     "--ignore-platform-req= --prefer-lowest --prefer-stable -o,--optimize-autoloader",
     ".*", EFFECT_INSTALL, "getcomposer.org/doc/03-cli.md", .also = "composer u,composer upgrade"},
    {"composer validate",
     "mixed --no-check-all --no-check-lock --check-lock --no-check-publish --no-check-version "
     "-A,--with-dependencies --strict",
     "R", EFFECT_PROJECT, "getcomposer.org/doc/03-cli.md"},
    {"composer why", "=composer depends", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"composer why-not", "=composer depends", "", 0, "getcomposer.org/doc/03-cli.md"},
    {"gem", "%-h,--help %-v,--version", "sub", 0, "guides.rubygems.org/command-reference",
     .fronted = true, .kit = "rubygems"},
    {"gem build", "mixed -o,--output=W --strict --force", "R", EFFECT_PROJECT,
     "guides.rubygems.org/command-reference"},
    {"gem contents", "mixed --all -v,--version= -l,--lib-only", ".*", 0,
     "guides.rubygems.org/command-reference"},
    {"gem dependency", "mixed -v,--version= -l,--local", ".*", 0,
     "guides.rubygems.org/command-reference"},
    {"gem environment", "", ".*", 0, "guides.rubygems.org/command-reference"},
    {"gem help", "", ".*", 0, "guides.rubygems.org/command-reference"},
    {"gem info",
     "mixed -v,--version= -a,--all -e,--exact ^fetch-r,--remote ^fetch-b,--both -l,--local",
     ".*", 0, "guides.rubygems.org/command-reference"},
    {"gem install", "mixed", ".*", EFFECT_INSTALL, "guides.rubygems.org/command-reference", .kit = ""},
    {"gem list",
     "mixed -d,--details -a,--all -e,--exact --no-versions --versions -i,--installed -I "
     "-v,--version= --prerelease --pre ^fetch-r,--remote ^fetch-b,--both -l,--local -q,--quiet",
     ".*", 0, "guides.rubygems.org/command-reference"},
    {"gem outdated", "", "none", EFFECT_FETCH, "guides.rubygems.org/command-reference"},
    {"gem push", "mixed", ".*", EFFECT_SEND, "guides.rubygems.org/command-reference"},
    {"gem search",
     "mixed -d,--details -a,--all -e,--exact --no-versions --versions -v,--version= --prerelease "
     "--pre",
     ".*", EFFECT_FETCH, "guides.rubygems.org/command-reference"},
    {"gem specification",
     "mixed -v,--version= -l,--local --ruby --yaml --marshal",
     ".*", 0, "guides.rubygems.org/command-reference"},
    {"gem uninstall", "mixed", ".*", EFFECT_INSTALL, "guides.rubygems.org/command-reference"},
    {"gem update", "mixed", ".*", EFFECT_INSTALL, "guides.rubygems.org/command-reference", .kit = ""},
    {"gem which", "mixed -a,--all", ".*", 0, "guides.rubygems.org/command-reference"},
    {"irb", "%-h,--help %-v,--version", "X*", EFFECT_CODE, "github.com/hadolint/hadolint"},
    {"julia",
     "%-h,--help %-v,--version -e,--eval=X -E,--print=X -L,--load=F --project?=R -t,--threads= -q "
     "--startup-file= --color= -i -p= -J,--sysimage=F",
     "{-e,-E} .* | {0} ^code none | F .*", 0,
     "docs.julialang.org/en/v1/manual/command-line-interface", .launches = "$`"},
    {"lua", "versions -e=X -l=X -i -v -E -W", "{-v} none | {0} ^code none | F .*", 0,
     "lua(1), luajit.org", .launches = ""},
    {"luac", "versions -v -l -p -s -o=W", "{-v} none | {-p} R* | {-o} R*", 0, "lua(1), luajit.org"},
    {"luacheck",
     "mixed %-h,--help %-v,--version -g,--no-global -u,--no-unused --std= --globals= --ignore= "
     "--only= -q,--quiet --codes --formatter= --config=R --no-config --exclude-files=",
     "R*", EFFECT_PROJECT, "lua(1), luajit.org",
     .starts_from = ".luacheckrc",
     .runs_no_source = true},
    {"luajit", "-e=X -l=X -i -v -b= -j= -O=", "{-v} none | {0} ^code none | F .*", 0,
     "lua(1), luajit.org", .launches = ""},
    {"perl",
     "versions %-v,--version -V?= %-h,--help -e,-E=X -n -p -l?= -a -F= -i?= -w -W -s -t -T -u "
     "-U -c -M=X -m=X -I=R -0?= -C?= -x?= -S -d?=X",
     "{-e} .* | {-i} ^code .* | {0} ^code none | F .*", 0, "perlrun(1), prove(1)",
     .fronted = true, .launches = "$`o", .set_by = "PERL5OPT"},
    {"perlcritic",
     "mixed %-h,--help %-V,--version --gentle --stern --harsh --cruel --brutal --severity= "
     "-p,--profile=R --include= --exclude= --quiet --verbose=",
     "R*", EFFECT_PROJECT, "perlrun(1), prove(1)",
     .starts_from = ".perlcriticrc"},
    {"pest", "=phpunit", "", 0, "phpunit --help, phpstan.org, pestphp.com, cs.symfony.com"},
    {"php",
     "%-h,--help %-v,--version %-m,--modules %--ini ^secrets-i,--info -l,--syntax-check "
     "--rf,--rfunction= --rc,--rclass= --re,--rextension= --ri,--rextinfo= -r,--run=X "
     "-R,--process-code=X -B,-E=X -S,--server=N -t=R -d,--define=X -c,--php-ini=F -f,--file=F "
     "-n,--no-php-ini -a,--interactive -q,--no-header -s,--syntax-highlight -w,--strip",
     "{-r,-S,-R,-B,-E} .* | {-l} R | {-i,--rf,--rc,--re,--ri} none | {-f} .* | {-a} ^code .* | {0} "
     "^code none | F .*",
     0, "php(1), phpunit --help, phpstan.org, pestphp.com", .fronted = true, .launches = "$`"},
    {"php artisan",
     "--ansi --no-ansi -n,--no-interaction -v,-vv,-vvv -q --env= %-h,--help %-V,--version",
     "{0} ^project none | sub", 0, "laravel.com/docs/artisan"},
    {"php artisan about", "mixed --json --only=", "none", EFFECT_PROJECT, "laravel.com/docs/artisan"
     },
    {"php artisan cache:clear", "", ".*", EFFECT_PROJECT, "laravel.com/docs/artisan"},
    {"php artisan config:cache", "=php artisan cache:clear", "", 0, "laravel.com/docs/artisan"},
    {"php artisan config:clear", "=php artisan cache:clear", "", 0, "laravel.com/docs/artisan"},
    {"php artisan db:show",
     "mixed --json --counts --database=",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "laravel.com/docs/artisan"},
    {"php artisan db:wipe", "mixed", ".*", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS,
     "laravel.com/docs/artisan"},
    {"php artisan list", "", ".*", EFFECT_PROJECT, "laravel.com/docs/artisan"},
    {"php artisan migrate",
     "mixed --force --seed --step --pretend --path=R --database=",
     "none", EFFECT_PROJECT | EFFECT_SEND, "laravel.com/docs/artisan"},
    {"php artisan migrate:fresh",
     "mixed",
     ".*", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS, "laravel.com/docs/artisan"},
    {"php artisan migrate:refresh", "=php artisan migrate:fresh", "", 0,
     "laravel.com/docs/artisan"},
    {"php artisan migrate:reset", "=php artisan migrate:fresh", "", 0, "laravel.com/docs/artisan"},
    {"php artisan migrate:rollback", "=php artisan migrate:fresh", "", 0,
     "laravel.com/docs/artisan"},
    {"php artisan migrate:status",
     "mixed --pending --path=R --database=",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "laravel.com/docs/artisan"},
    {"php artisan optimize", "", "none", EFFECT_PROJECT, "laravel.com/docs/artisan"},
    {"php artisan optimize:clear", "=php artisan cache:clear", "", 0, "laravel.com/docs/artisan"},
    {"php artisan route:list",
     "mixed --json --method= --name= --path= --except-vendor --only-vendor -r,--reverse --sort= "
     "--domain= --except-path=",
     "none", EFFECT_PROJECT, "laravel.com/docs/artisan"},
    {"php artisan schedule:list", "mixed", "none", EFFECT_PROJECT, "laravel.com/docs/artisan"},
    {"php artisan serve", "mixed --host= --port=", "none", EFFECT_PROJECT,
     "laravel.com/docs/artisan"},
    {"php artisan test",
     "mixed --parallel -p --coverage --min= --filter= --compact --profile --without-tty "
     "--testsuite= --group= --exclude-group= --stop-on-failure --recreate-databases "
     "--drop-databases",
     "R*", EFFECT_PROJECT, "laravel.com/docs/artisan"},
    {"php artisan view:clear", "=php artisan cache:clear", "", 0, "laravel.com/docs/artisan"},
    {"php-cs-fixer",
     "mixed %-h,--help %-V,--version -n -v -vv -vvv --ansi --no-ansi -q",
     "sub", 0, "phpunit --help, phpstan.org, pestphp.com, cs.symfony.com",
     .starts_from = PHP_FILES},
    {"php-cs-fixer check",
     "mixed --config=R --diff --dry-run --rules= --path-mode= --format= --using-cache= "
     "--cache-file=W --show-progress= --stop-on-violation --allow-risky= --sequential",
     "R*", EFFECT_PROJECT, "phpunit --help, phpstan.org, pestphp.com, cs.symfony.com"},
    {"php-cs-fixer fix", "=php-cs-fixer check", "", 0, "phpunit --help, phpstan.org, pestphp.com, "
     "cs.symfony.com"},
    {"phpcbf", "=phpcs", "", 0, "phpunit --help, phpstan.org, pestphp.com, cs.symfony.com"},
    {"phpcs",
     "mixed %-h,--help %--version -p -s -v -n -w -q -a -e -i --standard=R --report= "
     "--report-file=W --extensions= --ignore= --severity= --colors --no-colors --parallel= "
     "--sniffs= --exclude=",
     "R*", EFFECT_PROJECT, "phpunit --help, phpstan.org, pestphp.com, cs.symfony.com",
     .starts_from = PHP_FILES,
     .runs_no_source = true},
    {"phpstan", "%-h,--help %-V,--version", "sub", 0, "phpunit --help, phpstan.org, pestphp.com, "
     "cs.symfony.com",
     .starts_from = PHP_FILES},
    {"phpstan analyse",
     "mixed -c,--configuration=R -l,--level= --no-progress --debug -a,--autoload-file=R "
     "--error-format= -b,--generate-baseline?=W --memory-limit= -v -vv -vvv -q --ansi --no-ansi -n "
     "--xdebug",
     "R*", EFFECT_PROJECT, "phpunit --help, phpstan.org, pestphp.com, cs.symfony.com"},
    {"phpstan analyze", "=phpstan analyse", "", 0, "phpunit --help, phpstan.org, pestphp.com, "
     "cs.symfony.com"},
    {"phpunit",
     "mixed %-h,--help %--version --list-groups --list-suites --list-tests --filter= "
     "--exclude-filter= --group= --exclude-group= --testsuite= --exclude-testsuite= "
     "-c,--configuration=R --no-configuration --bootstrap=R --testdox "
     "--testdox-html,--testdox-text=W "
     "--coverage-html,--coverage-clover,--coverage-cobertura,--coverage-crap4j=W "
     "--coverage-php,--coverage-xml,--log-junit,--log-teamcity=W --log-events-text=W "
     "--coverage-text?=W --coverage-filter= --no-coverage --colors?= --columns= --stderr "
     "--stop-on-failure --stop-on-error --stop-on-defect --stop-on-warning --fail-on-warning "
     "--fail-on-risky --fail-on-skipped --fail-on-incomplete --fail-on-deprecation "
     "--display-deprecations --display-warnings --display-notices --display-errors "
     "--display-skipped --display-incomplete --process-isolation --order-by= --random-order "
     "--random-order-seed= --cache-directory=W --cache-result --do-not-cache-result --no-output "
     "--no-progress --no-results --teamcity --debug --verbose -v --no-logging --no-extensions "
     "--parallel -p --processes= --compact --ci --bail --retry --dirty --profile --todos --min= "
     "-d=X",
     "R*", EFFECT_PROJECT, "phpunit --help, phpstan.org, pestphp.com, cs.symfony.com",
     .starts_from = PHP_FILES},
    {"pint",
     "mixed %-h,--help %-V,--version --test --dirty --diff= --preset= --config=R --repair --bail "
     "-v --format= --parallel",
     "R*", EFFECT_PROJECT, "phpunit --help, phpstan.org, pestphp.com, cs.symfony.com",
     .starts_from = PHP_FILES},
    {"prove",
     "mixed %-h,--help %-V,--version -v,--verbose -l,--lib -b,--blib -s,--shuffle -c,--color "
     "--nocolor --count -q,--quiet -Q,--QUIET -r,--recurse -f,--failures -j,--jobs= -I=R --ext= "
     "--timer --trap --normalize --state= -w -W -t -T --formatter= -e,--exec=X -P=X -M=X "
     "-a,--archive=W --rc=F --norc",
     "R*", EFFECT_PROJECT, "perlrun(1), prove(1)",
     .starts_from = ".proverc"},
    {"psalm",
     "mixed %-h,--help %-v,--version -c,--config=R --no-cache --show-info= --output-format= "
     "--no-progress --threads= --stats --diff --no-diff --report=W --memory-limit= --monochrome -m "
     "--clear-cache",
     "R*", EFFECT_PROJECT, "phpunit --help, phpstan.org, pestphp.com, cs.symfony.com",
     .starts_from = PHP_FILES},
    {"rails", "%-h,--help %-v,--version", "sub", 0, "guides.rubyonrails.org/command_line.html",
     .fronted = true,
     .starts_from = RUBY_FILES},
    {"rails about", "", "none", EFFECT_PROJECT, "guides.rubyonrails.org/command_line.html"},
    {"rails assets:precompile", "", "none", EFFECT_PROJECT,
     "guides.rubyonrails.org/command_line.html"},
    {"rails console", "", ".*", EFFECT_CODE, "guides.rubyonrails.org/command_line.html"},
    {"rails db:create", "", "none", EFFECT_PROJECT | EFFECT_SEND,
     "guides.rubyonrails.org/command_line.html"},
    {"rails db:drop",
     "",
     "none", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS, "guides.rubyonrails.org/command_line.html"
     },
    {"rails db:migrate", "", "none", EFFECT_PROJECT | EFFECT_SEND,
     "guides.rubyonrails.org/command_line.html"},
    {"rails db:migrate:status", "", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "guides.rubyonrails.org/command_line.html"},
    {"rails db:prepare", "=rails db:create", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails db:reset", "=rails db:drop", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails db:rollback", "=rails db:drop", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails db:schema:load", "=rails db:drop", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails db:seed", "=rails db:create", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails db:test:prepare", "=rails db:migrate:status", "", 0,
     "guides.rubyonrails.org/command_line.html"},
    {"rails db:version", "=rails db:migrate:status", "", 0,
     "guides.rubyonrails.org/command_line.html"},
    {"rails destroy", "mixed", ".*", EFFECT_PROJECT | EFFECT_LOSS,
     "guides.rubyonrails.org/command_line.html"},
    {"rails g", "=rails generate", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails generate",
     "mixed --no-test-framework --skip-routes --pretend,-p --skip -s --no-helper --no-assets --api",
     ".*", EFFECT_PROJECT, "guides.rubyonrails.org/command_line.html", .also = "rails g"},
    {"rails middleware", "", "none", EFFECT_PROJECT, "guides.rubyonrails.org/command_line.html"},
    {"rails notes", "mixed -a,--annotations=", "none", EFFECT_PROJECT,
     "guides.rubyonrails.org/command_line.html"},
    {"rails routes",
     "mixed -c,--controller= -g,--grep= -E,--expanded -u,--unused",
     "none", EFFECT_PROJECT, "guides.rubyonrails.org/command_line.html"},
    {"rails s", "=rails server", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails server",
     "mixed -p,--port= -b,--binding= -e,--environment= -d,--daemon",
     "none", EFFECT_PROJECT, "guides.rubyonrails.org/command_line.html", .also = "rails s"},
    {"rails stats", "", "none", EFFECT_PROJECT, "guides.rubyonrails.org/command_line.html"},
    {"rails t", "=rails test", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails test",
     "mixed -v,--verbose -b,--backtrace -d,--defer-output -f,--fail-fast -c,--color -n,--name= "
     "-e,--exclude= -s,--seed= -p,--profile?= -i,--include= -w,--warnings",
     "R*", EFFECT_PROJECT, "guides.rubyonrails.org/command_line.html", .also = "rails t"},
    {"rails test:all", "=rails test", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails test:system", "=rails test", "", 0, "guides.rubyonrails.org/command_line.html"},
    {"rails zeitwerk:check", "", "none", EFFECT_PROJECT, "guides.rubyonrails.org/command_line.html"
     },
    {"rake",
     "mixed %-h,-H,--help %-V,--version -T,--tasks?= -A,--all -D,--describe?= -P,--prereqs "
     "-W,--where?= -n,--dry-run -q,--quiet -s,--silent -v,--verbose -t,--trace?= -m,--multitask "
     "-j,--jobs?= -N,--no-search,--nosearch -f,--rakefile=@file -C,--directory=P --backtrace?= "
     "--comments -e,--execute=X -p,--execute-print=X -E,--execute-continue=X -r,--require=F "
     "-I,--libdir=R",
     "@target*", EFFECT_PROJECT, "ruby.github.io/rake", .fronted = true,
     .starts_from = RUBY_FILES, .task_by_task = true},
    {"rake db:drop", "", "none", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS, "ruby.github.io/rake"},
    {"rake db:migrate", "", "none", EFFECT_PROJECT | EFFECT_SEND, "ruby.github.io/rake"},
    {"rake db:reset", "=rake db:drop", "", 0, "ruby.github.io/rake"},
    {"rake db:rollback", "=rake db:drop", "", 0, "ruby.github.io/rake"},
    {"rake release", "", ".*", EFFECT_PROJECT | EFFECT_SEND, "ruby.github.io/rake"},
    {"rspec",
     "mixed %-h,--help %-v,--version -I=R -r,--require=R -O,--options=R --order= --seed= "
     "--bisect?= --fail-fast?= --no-fail-fast --failure-exit-code= -X -f,--format=R -o,--out=W "
     "--deprecation-out=W -b,--backtrace -c,--color,--colour --force-color --no-color "
     "-p,--profile?= --dry-run -w,--warnings --only-failures -n,--next-failure -P,--pattern= "
     "--exclude-pattern= -e,--example= -E,--example-matches= -t,--tag= --default-path=R",
     "R*", EFFECT_PROJECT, "rspec.info, docs.rubocop.org", .fronted = true,
     .starts_from = RUBY_FILES},
    {"rubocop",
     "mixed %-h,--help %-v,--version %-V,--verbose-version "
     "-a,--autocorrect,--auto-correct,--safe-auto-correct -A,--autocorrect-all,--auto-correct-all "
     "-x,--fix-layout -l,--lint --only= --except= --fail-level= -D,--display-cop-names "
     "--no-display-cop-names -d,--debug -E,--extra-details -S,--display-style-guide -f,--format=R "
     "-o,--out=W -c,--config=R -P,--parallel --no-parallel --cache= --force-exclusion "
     "--only-recognized-file-types --ignore-parent-exclusion --stdin= -s= --auto-gen-config "
     "--show-cops?= --list-target-files,-L --safe --display-only-failed --display-time --no-server "
     "--color --no-color --disable-uncorrectable -r,--require=R --plugin= --fail-fast,-F",
     "R*", EFFECT_PROJECT, "rspec.info, docs.rubocop.org", .fronted = true,
     .starts_from = RUBY_FILES},
    {"ruby",
     "versions %-h,--help %--version %--copyright -v -e=X -c -r=F -I=R -n -p -l -a -i?= -w -W?= -s "
     "-S -x?= -C=P -E= -F= -K= -T?= -U -d -y",
     "{-e} .* | {-c} R* | {0} {-v} none | {0} ^code none | {-S,-x,-i} F .* | Z .*", 0, "ruby(1)",
     .fronted = true, .launches = "$`o", .set_by = "RUBYOPT"},
    {"standardrb", "=rubocop", "", 0, "rspec.info, docs.rubocop.org"},
    {"tclsh", "", "{0} ^code none | F .*", 0, "tclsh(1)", .danger = DANGER_CODE},
};
/* clang-format on */

extern const struct program_file rows_scripts;
const struct program_file rows_scripts = {"programs/rows/scripts.c", rows, COUNT(rows)};
