/* pytools.c - Python: test runners, linters, servers, migrations. */
#include "programs/reading.h"
#include "programs/rows/starts_from.h"

/* clang-format off */
#define COVERAGE \
    "mixed %-h,--help --rcfile=R --debug= --data-file=R -i,--ignore-errors --include= --omit= " \
    "--contexts= -q,--quiet"
#define MYPY \
    "mixed %-h,--help %-V,--version -v,--verbose -O,--output= --config-file=R " \
    "--warn-unused-configs --no-namespace-packages --ignore-missing-imports " \
    "--follow-untyped-imports --follow-imports= --python-executable=F --no-site-packages " \
    "--no-silence-site-packages --python-version= --platform= --always-true= --always-false= " \
    "--disallow-any-unimported --disallow-any-expr --disallow-any-decorated " \
    "--disallow-any-explicit --disallow-any-generics --disallow-subclassing-any " \
    "--disallow-untyped-calls --disallow-untyped-defs --disallow-incomplete-defs " \
    "--check-untyped-defs --disallow-untyped-decorators --implicit-optional " \
    "--no-implicit-optional --no-strict-optional --strict-optional --warn-redundant-casts " \
    "--warn-unused-ignores --no-warn-no-return --warn-return-any --warn-unreachable " \
    "--allow-untyped-globals --allow-redefinition --no-implicit-reexport --implicit-reexport " \
    "--strict-equality --strict-bytes --extra-checks --strict --disable-error-code= " \
    "--enable-error-code= --show-error-context --show-column-numbers --show-error-end " \
    "--hide-error-codes --show-error-codes --show-error-code-links --pretty --no-color-output " \
    "--no-error-summary --show-absolute-path --incremental --no-incremental --cache-dir=W " \
    "--sqlite-cache --skip-cache-mtime-checks ^editor--pdb --show-traceback,--tb " \
    "--raise-exceptions --custom-typing-module= --junit-xml=W --explicit-package-bases " \
    "--exclude= --exclude-gitignore -m,--module= -p,--package= -c,--command= --non-interactive " \
    "--namespace-packages --scripts-are-modules --warn-incomplete-stub " \
    "--any-exprs-report,--cobertura-xml-report,--html-report,--linecount-report=W " \
    "--linecoverage-report,--lineprecision-report,--txt-report,--xml-report=W"
#define PYTEST \
    "mixed -h,--help -V,--version -k= -m= --markers -x,--exitfirst --maxfail= " \
    "--fixtures,--funcargs --fixtures-per-test --strict-config --strict-markers --strict " \
    "-c,--config-file=R --continue-on-collection-errors --rootdir=R -s --capture= --runxfail " \
    "--lf,--last-failed --ff,--failed-first --nf,--new-first --cache-show?= --cache-clear " \
    "--lfnf,--last-failed-no-failures= --sw,--stepwise --sw-skip,--stepwise-skip ^editor--pdb " \
    "^editor--trace --durations= --durations-min= -v,-vv,-vvv,-vvs,-vs,--verbose --no-header " \
    "--no-summary --no-fold-skipped --force-short-summary -q,--quiet --verbosity= -r= " \
    "--disable-warnings,--disable-pytest-warnings -l,--showlocals --no-showlocals --tb= " \
    "--xfail-tb --show-capture= --full-trace --color= --code-highlight= --junitxml,--junit-xml=W " \
    "--junit-prefix,--junitprefix=@text -W,--pythonwarnings= --collect-only,--co --pyargs " \
    "--ignore= " \
    "--ignore-glob= --deselect= --confcutdir=R --noconftest --keepduplicates " \
    "--collect-in-virtualenv --import-mode= --doctest-modules --doctest-glob= " \
    "--doctest-ignore-import-errors --doctest-continue-on-failure --basetemp=d -p= --traceconfig " \
    "^code--debug?=W --setup-only --setup-show --setup-plan --log-level= " \
    "--log-format,--log-file-format,--log-date-format,--log-file-date-format=@text " \
    "--log-cli-level= --log-cli-format=@text --log-file=W --log-file-level= --log-disable= " \
    "--cov?= " \
    "--cov-report=@report --cov-config=R --no-cov --no-cov-on-fail --cov-fail-under= " \
    "--cov-append --cov-branch --cov-context= -n,--numprocesses= --dist= --maxprocesses= " \
    "--max-worker-restart= --forked --reruns= --reruns-delay= --only-rerun= --timeout= " \
    "--timeout-method= --benchmark-only --benchmark-skip --benchmark-disable --asyncio-mode= " \
    "--snapshot-update --randomly-seed= --randomly-dont-reorganize --random-order --headed " \
    "--browser= --create-db --reuse-db --no-migrations --nomigrations --ds= --mypy --ruff " \
    "--html=W --self-contained-html --alluredir=W --picked?= --testmon --count= " \
    "--hypothesis-show-statistics --hypothesis-seed= --hypothesis-profile= --inline-snapshot= " \
    "--record-mode= --block-network"
#define RUFF \
    "%-h,--help -v,--verbose -q,--quiet -s,--silent --config=@settings --isolated --color="

static const struct program_row rows[] = {
    {"alembic",
     "%-h,--help %--version -c,--config=R -n,--name= -x= --raiseerr -q,--quiet",
     "sub", 0, "alembic.sqlalchemy.org/en/latest/api/commands.html",
     .starts_from = PY_FILES},
    {"alembic branches", "-v,--verbose", "none", EFFECT_PROJECT,
     "alembic.sqlalchemy.org/en/latest/api/commands.html"},
    {"alembic check", "", "none", EFFECT_PROJECT,
     "alembic.sqlalchemy.org/en/latest/api/commands.html"},
    {"alembic current",
     "-v,--verbose --check-heads",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "alembic.sqlalchemy.org/en/latest/api/commands.html"},
    {"alembic downgrade",
     "mixed --sql --tag=",
     ".", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS,
     "alembic.sqlalchemy.org/en/latest/api/commands.html"},
    {"alembic heads",
     "-v,--verbose --resolve-dependencies",
     "none", EFFECT_PROJECT, "alembic.sqlalchemy.org/en/latest/api/commands.html"},
    {"alembic history",
     "-v,--verbose -r,--rev-range= -i,--indicate-current",
     "none", EFFECT_PROJECT, "alembic.sqlalchemy.org/en/latest/api/commands.html"},
    {"alembic revision",
     "mixed -m,--message=@message --autogenerate --head= --splice --branch-label,--rev-id=@name "
     "--depends-on=@name",
     "none", EFFECT_PROJECT, "alembic.sqlalchemy.org/en/latest/api/commands.html"},
    {"alembic show", "", ".", EFFECT_PROJECT, "alembic.sqlalchemy.org/en/latest/api/commands.html"},
    {"alembic upgrade",
     "mixed --sql --tag=",
     ".", EFFECT_PROJECT | EFFECT_SEND, "alembic.sqlalchemy.org/en/latest/api/commands.html"},
    {"ansible", "%-h,--help %--version", ".*", EFFECT_CODE | EFFECT_NETWORK,
     "docs.ansible.com/ansible/latest/cli", .fronted = true},
    {"ansible-doc",
     "mixed %-h,--help %--version -l,--list -t,--type= -j,--json -s,--snippet -F,--list_files -v",
     ".*", EFFECT_PROJECT, "docs.ansible.com/ansible/latest/cli"},
    {"ansible-galaxy",
     "%-h,--help %--version",
     ".*", EFFECT_INSTALL | EFFECT_CODE, "docs.ansible.com/ansible/latest/cli"},
    {"ansible-inventory",
     "%-h,--help %--version",
     ".*", EFFECT_PROJECT | EFFECT_SECRETS, "docs.ansible.com/ansible/latest/cli"},
    {"ansible-lint",
     "mixed %-h,--help %--version -p,--parseable -q -v --fix?= --strict --offline --nocolor "
     "--force-color -x,--skip-list= -w,--warn-list= -t,--tags= -c,--config-file=R --exclude=R "
     "--profile= -f,--format= -L,--list-rules -T,--list-tags --show-relpath",
     "R*", EFFECT_PROJECT, "docs.ansible.com/ansible/latest/cli"},
    {"ansible-playbook",
     "mixed %-h,--help %--version --syntax-check --list-tasks --list-hosts --list-tags "
     "-i,--inventory=R -v -vv -vvv -e,--extra-vars=@ansible -l,--limit= -t,--tags= --skip-tags= "
     "-C,--check -D,--diff --start-at-task= --flush-cache -f,--forks=",
     "{--syntax-check,--list-tasks,--list-tags,--list-hosts} ^project R* | ^code^network F*", 0,
     "docs.ansible.com/ansible/latest/cli"},
    {"ansible-vault", "%-h,--help %--version", ".*", EFFECT_SECRETS,
     "docs.ansible.com/ansible/latest/cli"},
    {"basedpyright", "=pyright", "", 0, "docs.basedpyright.com"},
    {"black",
     "mixed %-h,--help %--version -c,--code= -l,--line-length= -t,--target-version= --pyi --ipynb "
     "-x,--skip-source-first-line -S,--skip-string-normalization -C,--skip-magic-trailing-comma "
     "--preview --unstable --enable-unstable-feature= --check --diff --color --no-color "
     "--line-ranges= --fast --safe --required-version= --exclude= --extend-exclude= "
     "--force-exclude= --include= --stdin-filename= -W,--workers= -q,--quiet -v,--verbose "
     "--config=R --no-cache",
     "R*", EFFECT_PROJECT, "black.readthedocs.io/en/stable/usage_and_configuration",
     .fronted = true,
     .starts_from = PY_FILES,
     .runs_no_source = true},
    {"celery",
     "%-h,--help %--version -A,--app= -b,--broker=N -C,--no-color -q,--quiet",
     "sub", 0, "docs.celeryq.dev/en/stable/reference/cli.html"},
    {"celery beat",
     "-l,--loglevel= -s,--schedule=W",
     "none", EFFECT_PROJECT, "docs.celeryq.dev/en/stable/reference/cli.html"},
    {"celery inspect",
     "-t,--timeout= -j,--json",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "docs.celeryq.dev/en/stable/reference/cli.html"},
    {"celery report", "", "none", EFFECT_PROJECT | EFFECT_SECRETS,
     "docs.celeryq.dev/en/stable/reference/cli.html"},
    {"celery status",
     "-t,--timeout= -j,--json",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "docs.celeryq.dev/en/stable/reference/cli.html"},
    {"celery worker",
     "-l,--loglevel= -c,--concurrency= -P,--pool= -Q,--queues= -n,--hostname= -E,--task-events "
     "-B,--beat --without-gossip --without-mingle --without-heartbeat -O=",
     "none", EFFECT_PROJECT, "docs.celeryq.dev/en/stable/reference/cli.html"},
    {"coverage", "%-h,--help %--version", "sub", 0, "coverage.readthedocs.io/en/latest/cmd.html",
     .starts_from = PY_FILES},
    {"coverage combine",
     COVERAGE
     " -a,--append --keep",
     "--data-file=RW R*", EFFECT_PROJECT, "coverage.readthedocs.io/en/latest/cmd.html"},
    {"coverage debug", COVERAGE, ".", EFFECT_PROJECT | EFFECT_SECRETS,
     "coverage.readthedocs.io/en/latest/cmd.html"},
    {"coverage erase", COVERAGE, "--data-file=D none", EFFECT_PROJECT,
     "coverage.readthedocs.io/en/latest/cmd.html"},
    {"coverage html",
     COVERAGE
     " -d,--directory=W --fail-under= --precision= --show-contexts --skip-covered "
     "--no-skip-covered --skip-empty --title=@text",
     ".*", EFFECT_PROJECT, "coverage.readthedocs.io/en/latest/cmd.html"},
    {"coverage json",
     COVERAGE
     " -o=W --fail-under= --pretty-print --show-contexts",
     ".*", EFFECT_PROJECT, "coverage.readthedocs.io/en/latest/cmd.html"},
    {"coverage lcov",
     COVERAGE
     " -o=W --fail-under=",
     ".*", EFFECT_PROJECT, "coverage.readthedocs.io/en/latest/cmd.html"},
    {"coverage report",
     COVERAGE
     " --fail-under= --format= -m,--show-missing --precision= --skip-covered --no-skip-covered "
     "--skip-empty --sort=",
     ".*", EFFECT_PROJECT, "coverage.readthedocs.io/en/latest/cmd.html"},
    {"coverage run",
     "%-h,--help --rcfile=R --data-file=W -a,--append --branch --concurrency= --context= "
     "--include= --omit= -p,--parallel-mode --source= --timid -L,--pylib",
     "F .*", EFFECT_CODE, "coverage.readthedocs.io/en/latest/cmd.html"},
    {"coverage run -m", "=python -m", "", 0, "coverage.readthedocs.io/en/latest/cmd.html"},
    {"coverage xml",
     COVERAGE
     " -o=W --fail-under= --skip-empty",
     ".*", EFFECT_PROJECT, "coverage.readthedocs.io/en/latest/cmd.html"},
    {"django-admin", "%-h,--help %--version", "sub", 0,
     "docs.djangoproject.com/en/stable/ref/django-admin",
     .starts_from = PY_FILES},
    {"django-admin check",
     "--settings= --pythonpath=R --deploy --tag,-t=",
     ".*", EFFECT_PROJECT, "docs.djangoproject.com/en/stable/ref/django-admin"},
    {"django-admin help", "", ".*", EFFECT_PROJECT,
     "docs.djangoproject.com/en/stable/ref/django-admin"},
    {"django-admin makemessages",
     "-l,--locale= -a,--all",
     "none", EFFECT_PROJECT, "docs.djangoproject.com/en/stable/ref/django-admin"},
    {"django-admin startapp",
     "--template=N",
     ". W", EFFECT_PROJECT, "docs.djangoproject.com/en/stable/ref/django-admin"},
    {"django-admin startproject",
     "--template=N",
     ". W", EFFECT_PROJECT, "docs.djangoproject.com/en/stable/ref/django-admin"},
    {"django-admin test",
     "mixed --settings= --pythonpath=R -v,--verbosity= --failfast --keepdb --parallel?= -k=",
     ".*", EFFECT_PROJECT, "docs.djangoproject.com/en/stable/ref/django-admin"},
    {"django-admin version", "", "none", 0, "docs.djangoproject.com/en/stable/ref/django-admin"},
    {"flake8",
     "mixed %-h,--help %--version -v,--verbose --output-file=W --append-config=R --config=R "
     "--isolated --enable-extensions= --require-plugins= -q,--quiet --color= --count --diff "
     "--exclude= --extend-exclude= --filename= --stdin-display-name= --format=@text --hang-closing "
     "--ignore= --extend-ignore= --per-file-ignores= --max-line-length= --max-doc-length= "
     "--indent-size= --select= --extend-select= --disable-noqa --show-source --no-show-source "
     "--statistics --exit-zero -j,--jobs= --tee --benchmark --bug-report --max-complexity= "
     "--builtins= --doctests",
     "R*", EFFECT_PROJECT,
     "flake8.pycqa.org/en/latest/user/options.html",
     .starts_from = PY_FILES},
    {"flask",
     "%--help %--version -A,--app= --debug --no-debug -e,--env-file=F",
     "sub", 0, "flask.palletsprojects.com/en/stable/cli",
     .starts_from = PY_FILES},
    {"flask db", "", "sub", 0, "flask.palletsprojects.com/en/stable/cli"},
    {"flask db current",
     "-v,--verbose",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "flask.palletsprojects.com/en/stable/cli"},
    {"flask db downgrade",
     "--sql",
     ".", EFFECT_PROJECT | EFFECT_SEND | EFFECT_LOSS, "flask.palletsprojects.com/en/stable/cli"},
    {"flask db history", "-v,--verbose", "none", EFFECT_PROJECT,
     "flask.palletsprojects.com/en/stable/cli"},
    {"flask db migrate", "mixed -m,--message=@message", "none", EFFECT_PROJECT,
     "flask.palletsprojects.com/en/stable/cli"},
    {"flask db upgrade", "--sql", ".", EFFECT_PROJECT | EFFECT_SEND,
     "flask.palletsprojects.com/en/stable/cli"},
    {"flask routes", "-s,--sort= --all-methods", "none", EFFECT_PROJECT,
     "flask.palletsprojects.com/en/stable/cli"},
    {"flask run",
     "mixed -h,--host= -p,--port= --reload --no-reload --debugger --no-debugger --with-threads "
     "--debug",
     "none", EFFECT_PROJECT, "flask.palletsprojects.com/en/stable/cli"},
    {"gunicorn",
     "mixed %-h,--help %-v,--version -c,--config=R -b,--bind= -w,--workers= -k,--worker-class= "
     "--threads= --reload -t,--timeout= --graceful-timeout= --keep-alive= --log-level= --chdir=P "
     "--preload -n,--name= --check-config --print-config --max-requests= --certfile,--keyfile=R "
     "--access-logfile,--error-logfile,--log-file=W",
     ".", EFFECT_PROJECT, "docs.gunicorn.org/en/stable/run.html"},
    {"isort",
     "mixed %-h,--help %-V,--version --vn,--version-number -v,--verbose --only-modified,--om "
     "-q,--quiet -d,--stdout --show-config --show-files --df,--diff -c,--check-only,--check --ws "
     "-sp,--settings-path,--settings-file,--settings=R --cr,--config-root=R --resolve-all-configs "
     "--profile= -j,--jobs?= --ac,--atomic --interactive --filter-files -s,--skip= "
     "-sg,--skip-glob= --extend-skip= --gitignore -l,-w,--line-length,--line-width= "
     "-m,--multi-line= --sl,--force-single-line-imports -p,--project= -o,--thirdparty= "
     "-tc,--trailing-comma --dont-follow-links --color --stdin --filename= --float-to-top "
     "--ca,--combine-as --py,--python-version= --src,--src-path=R",
     "R*", EFFECT_PROJECT, "pycqa.github.io/isort/docs/configuration/options.html",
     .starts_from = PY_FILES,
     .runs_no_source = true},
    {"mypy",
     MYPY
     " ^install^system--install-types",
     "@input*", EFFECT_PROJECT, "mypy 1.x --help, mypy.readthedocs.io/en/stable/command_line.html",
     .starts_from = PY_FILES,
     .runs_no_source = true},
    {"nox",
     "mixed %-h,--help %--version -l,--list,--list-sessions --json "
     "-s,-e,--session,--sessions=@task "
     "-p,--python,--pythons= -k,--keywords= -t,--tags= -f,--noxfile=R "
     "-r,--reuse-existing-virtualenvs -R -N --no-install --error-on-missing-interpreters "
     "-x,--stop-on-first-error -v,--verbose --nocolor --forcecolor --report=W",
     "@arg*", EFFECT_PROJECT, "nox.thea.codes/en/stable/usage.html",
     .starts_from = PY_FILES, .kit = "pypi"},
    {"py.test", "=pytest", "", 0, "docs.pytest.org/en/stable/reference/reference.html, pytest-cov, "
     "pytest-xdist"},
    {"pylint",
     "mixed %-h,--help %--version --rcfile=R --errors-only,-E --disable,-d= --enable,-e= "
     "--output-format,-f=@plain --output=W --max-line-length= --fail-under= --fail-on= --exit-zero "
     "--score,-s= --reports,-r= --msg-template=@text --jobs,-j= --ignore= --ignore-patterns= "
     "--ignore-paths= --recursive= --list-msgs --list-msgs-enabled --help-msg= --good-names= "
     "--verbose,-v --persistent= --from-stdin --py-version= --confidence= "
     "--extension-pkg-allow-list= --load-plugins= --ignored-modules= --source-roots=R --max-args= "
     "--min-similarity-lines=",
     "R*", EFFECT_PROJECT,
     "pylint.readthedocs.io/en/stable/user_guide/configuration/all-options.html",
     .starts_from = PY_FILES},
    {"pyright",
     "mixed %-h,--help %--version -p,--project=R --level= --outputjson --stats --verbose "
     "-w,--watch --pythonplatform= --pythonversion= --pythonpath=F -t,--typeshedpath=R "
     "-v,--venvpath=R --threads?= --warnings --skipunannotated --dependencies --createstub= "
     "--verifytypes= --ignoreexternal",
     "R*", EFFECT_PROJECT, "github.com/microsoft/pyright docs/command-line.md",
     .starts_from = PY_FILES,
     .runs_no_source = true},
    {"pytest",
     PYTEST,
     "@input*", EFFECT_PROJECT,
     "docs.pytest.org/en/stable/reference/reference.html, pytest-cov, pytest-xdist",
     .starts_from = PY_FILES " test*.txt", .also = "py.test,python -m pytest", .set_by = "PYTEST_ADDOPTS"},
    {"ruff",
     "global "
     RUFF
     " -V,--version",
     "sub", 0, "docs.astral.sh/ruff/configuration (full command-line interface)",
     .starts_from = PY_FILES},
    {"ruff analyze", "", "sub", 0, "docs.astral.sh/ruff/configuration (full command-line interface)"
     },
    {"ruff analyze graph",
     "mixed --direction= --detect-string-imports --preview",
     "R*", EFFECT_PROJECT, "docs.astral.sh/ruff/configuration (full command-line interface)"},
    {"ruff check",
     "mixed --fix --no-fix --unsafe-fixes --no-unsafe-fixes --show-fixes --diff -w,--watch "
     "--fix-only --ignore-noqa --output-format= -o,--output-file=W --target-version= --preview "
     "--no-preview --extension= --statistics --add-noqa --show-files --show-settings --select= "
     "--ignore= --extend-select= --extend-ignore= --per-file-ignores= --extend-per-file-ignores= "
     "--fixable= --unfixable= --exclude= --extend-exclude= --respect-gitignore "
     "--no-respect-gitignore --force-exclude -n,--no-cache --cache-dir=W --stdin-filename= "
     "-e,--exit-zero --exit-non-zero-on-fix --exit-non-zero-on-format --line-length= --show-source",
     "R*", EFFECT_PROJECT, "docs.astral.sh/ruff/configuration (full command-line interface)",
     .runs_no_source = true},
    {"ruff clean", "", "none", EFFECT_PROJECT, "docs.astral.sh/ruff/configuration (full "
     "command-line interface)"},
    {"ruff config", "--output-format=", ".", 0, "docs.astral.sh/ruff/configuration (full "
     "command-line interface)"},
    {"ruff format",
     "mixed --check --diff -n,--no-cache --cache-dir=W --respect-gitignore --no-respect-gitignore "
     "--exclude= --extend-exclude= --force-exclude --line-length= --stdin-filename= --extension= "
     "--target-version= --preview --no-preview --range= --exit-non-zero-on-format",
     "R*", EFFECT_PROJECT, "docs.astral.sh/ruff/configuration (full command-line interface)",
     .runs_no_source = true},
    {"ruff help", "", ".*", 0, "docs.astral.sh/ruff/configuration (full command-line interface)"},
    {"ruff linter", "--output-format=", "none", 0, "docs.astral.sh/ruff/configuration (full "
     "command-line interface)"},
    {"ruff rule",
     "mixed --all --output-format=",
     ".", 0, "docs.astral.sh/ruff/configuration (full command-line interface)"},
    {"ruff version", "--output-format=", "none", 0, "docs.astral.sh/ruff/configuration (full "
     "command-line interface)"},
    {"tox",
     "mixed -h,--help --version -e=@task -m= -f= -p,--parallel?= -q,--quiet -v,--verbose "
     "-r,--recreate "
     "-l,--listenvs -a,--listenvs-all -c,--conf=R --workdir=W --root=R "
     "--skip-missing-interpreters?= --notest -n --sdistonly --colored= --no-recreate-pkg "
     "--skip-pkg-install --skip-env= --result-json=W",
     "@arg*", EFFECT_PROJECT, "tox.wiki/en/latest/cli_interface.html",
     .starts_from = PY_FILES, .kit = "pypi"},
    {"tox d", "=tox devenv", "", 0, "tox.wiki/en/latest/cli_interface.html"},
    {"tox devenv", "", "@@data", EFFECT_CODE, "tox.wiki/en/latest/cli_interface.html"},
    {"tox e", "=tox exec", "", 0, "tox.wiki/en/latest/cli_interface.html"},
    {"tox exec", "", "@@data", EFFECT_CODE, "tox.wiki/en/latest/cli_interface.html: runs any "
     "command"},
    {"tox list", "-d --no-desc", "none", EFFECT_PROJECT, "tox.wiki/en/latest/cli_interface.html"},
    {"tox run",
     "mixed -e= -m= -f= -q -v -r,--recreate -c,--conf=R --skip-env=",
     "@arg*", EFFECT_PROJECT, "tox.wiki/en/latest/cli_interface.html"},
    {"uvicorn",
     "mixed %--help %--version --host= --port= --reload --reload-dir=R --workers= --log-level= "
     "--factory --app-dir=R --lifespan= --loop= --http= --ws= --no-access-log --proxy-headers "
     "--root-path= --env-file=F --log-config=R --ssl-keyfile,--ssl-certfile=R --interface= "
     "--timeout-keep-alive=",
     ".", EFFECT_PROJECT, "docs.astral.sh/uv/reference/cli"},
    {"yamllint",
     "mixed %-h,--help %-v,--version -c,--config-file=R -d,--config-data=@inline --list-files "
     "-f,--format= -s,--strict --no-warnings",
     "R* cwd", 0, "yamllint.readthedocs.io, Debian yamllint(1)"},
};
/* clang-format on */

extern const struct program_file rows_pytools;
const struct program_file rows_pytools = {"programs/rows/pytools.c", rows, COUNT(rows)};
