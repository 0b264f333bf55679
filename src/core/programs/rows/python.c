/* python.c - Python: interpreters and package managers.
 *
 * `python -m` finds a module in the working directory before its own ones, so even -m json.tool may
 * run the project's code. Where nothing there takes its place (facts/shadows.h) it only reads. */
#include "programs/reading.h"
#include "programs/rows/starts_from.h"

/* clang-format off */
#define UV_HOSTS "pyproject.toml uv.lock uv.toml"
#define PIP \
    "-q,--quiet -v,--verbose --no-input --isolated --require-virtualenv " \
    "--disable-pip-version-check --no-color --no-python-version-warning --timeout= --retries= " \
    "--exists-action= --debug --python=X --log=W --proxy=N --cert,--client-cert=R " \
    "--trusted-host= --cache-dir=W --no-cache-dir --use-feature= --use-deprecated= " \
    "--keyring-provider="
#define PIP_INDEX \
    "-i,--index-url,--extra-index-url=N -f,--find-links=N --no-index --pre"
#define PIP_INSTALL \
    "mixed " \
    PIP_INDEX \
    " -r,--requirement=R -c,--constraint=R -e,--editable= -U,--upgrade --upgrade-strategy= " \
    "--user --target,-t=W --prefix,--root=W --no-deps --require-hashes --no-build-isolation " \
    "--prefer-binary --only-binary= --no-binary= --force-reinstall -I,--ignore-installed " \
    "--dry-run --progress-bar= --break-system-packages --no-warn-script-location " \
    "--root-user-action= --report=W --platform= --python-version= --implementation= --abi= " \
    "-d,--dest,-w,--wheel-dir=W --no-compile --compile --group= --system --config-settings,-C= " \
    "--src=W --no-clean --use-pep517 --no-verify-hashes --extra= --all-extras -n,--no-cache -p= " \
    "--python=X --reinstall"
#define POETRY \
    "%-h,--help -V,--version -q,--quiet -v,-vv,-vvv,--verbose --ansi --no-ansi " \
    "-n,--no-interaction --no-plugins --no-cache -P,--project=R -C,--directory=P"
#define UV \
    "%-h,--help -q,--quiet -v,--verbose --color= --no-progress --offline --directory=P " \
    "--project=R --config-file=F --no-config --native-tls --allow-insecure-host= -n,--no-cache " \
    "--cache-dir=W --python-preference= --no-python-downloads --managed-python " \
    "--no-managed-python --preview"
#define UV_SYNC \
    "mixed --frozen --locked --no-sync --extra= --all-extras --no-extra= --group= --no-group= " \
    "--all-groups --only-group= --dev --no-dev --only-dev --no-default-groups --package= " \
    "--all-packages --exact --inexact --active --no-editable --no-sources --no-install-project " \
    "--no-install-workspace --no-install-package= -p,--python=X -U,--upgrade " \
    "-P,--upgrade-package= --reinstall --reinstall-package= --refresh --resolution= " \
    "--prerelease= --no-build --no-build-isolation --no-binary --link-mode= --compile-bytecode " \
    "--index,--default-index,-i,--index-url,--extra-index-url,-f,--find-links=N --no-index " \
    "--dry-run --check --output-format="

static const struct program_row rows[] = {
    {"conda", "%-h,--help %-V,--version", "sub", 0,
     "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda activate", "--stack --no-stack", ".", EFFECT_PROJECT,
     "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda config",
     "%-h,--help --show --show-sources --get --describe",
     "{--show,--show-sources,--get} ^secrets .* | {--describe} .* | ^system^code .*",
     0, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda create",
     "mixed -n,--name= -p,--prefix=W -y,--yes -f,--file=R --clone= -c,--channel= -q,--quiet",
     ".*", EFFECT_INSTALL, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda deactivate", "", "none", 0, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda env", "", "sub", 0, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda env create",
     "mixed -n,--name= -p,--prefix=W -y,--yes -f,--file=R -q,--quiet",
     ".*", EFFECT_INSTALL, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda env export",
     "mixed -n,--name= -p,--prefix=R --no-builds --from-history --json -f,--file=W",
     "none", 0, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda env list", "--json", "none", 0, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda env remove",
     "mixed -n,--name= -p,--prefix=d -y,--yes",
     "none", EFFECT_INSTALL | EFFECT_LOSS, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda env update",
     "mixed -n,--name= -p,--prefix=W -f,--file=R --prune",
     ".*", EFFECT_INSTALL, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda export",
     "mixed -n,--name= -p,--prefix=R --no-builds --from-history --json --format= -f,--file=W",
     "none", 0, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda info",
     "mixed -a,--all --base -e,--envs -s,--system --json",
     "none", 0, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda install",
     "mixed -n,--name= -p,--prefix=W -y,--yes -c,--channel= --file=R -q,--quiet "
     "--override-channels --dry-run,-d --no-deps --update-deps --freeze-installed",
     ".*", EFFECT_INSTALL, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda list",
     "mixed -n,--name= -p,--prefix=R --json -e,--export --explicit --md5 -f,--full-name --no-pip "
     "--revisions,-r",
     ".", 0, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda remove",
     "mixed -n,--name= -p,--prefix=d -y,--yes --all",
     ".*", EFFECT_INSTALL, "docs.conda.io/projects/conda/en/stable/commands", .also = "conda uninstall"},
    {"conda run",
     "-n,--name= -p,--prefix=R --no-capture-output,--live-stream -v,--verbose",
     "I", 0, "docs.conda.io/projects/conda/en/stable/commands", .waits = true},
    {"conda search",
     "mixed --info,-i --json --envs",
     ".*", EFFECT_FETCH, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda uninstall", "=conda remove", "", 0, "docs.conda.io/projects/conda/en/stable/commands"},
    {"conda update",
     "mixed -n,--name= -p,--prefix=W -y,--yes --all --update-all -c,--channel= --no-pin",
     ".*", EFFECT_INSTALL, "docs.conda.io/projects/conda/en/stable/commands"},
    {"hatch",
     "%-h,--help %--version -e,--env= -p,--project= -v,--verbose -q,--quiet --color --no-color",
     "sub", 0, "hatch.pypa.io/latest/cli/reference",
     .starts_from = PY_FILES, .kit = "pypi"},
    {"hatch build",
     "mixed -t,--target= --clean,-c --hooks-only",
     "W", EFFECT_PROJECT | EFFECT_INSTALL, "hatch.pypa.io/latest/cli/reference"},
    {"hatch clean", "", "none", EFFECT_PROJECT, "hatch.pypa.io/latest/cli/reference"},
    {"hatch dep", "", "sub", 0, "hatch.pypa.io/latest/cli/reference"},
    {"hatch dep show", "", ".*", EFFECT_PROJECT, "hatch.pypa.io/latest/cli/reference"},
    {"hatch env", "", "sub", 0, "hatch.pypa.io/latest/cli/reference"},
    {"hatch env show", "--json --ascii -i,--internal", ".*", EFFECT_PROJECT,
     "hatch.pypa.io/latest/cli/reference"},
    {"hatch fmt",
     "mixed --check -l,--linter -f,--formatter --preview --unsafe-fixes",
     "R*", EFFECT_PROJECT, "hatch.pypa.io/latest/cli/reference"},
    {"hatch publish", "", ".*", EFFECT_SEND | EFFECT_PROJECT, "hatch.pypa.io/latest/cli/reference"},
    {"hatch run", "", "I", 0, "hatch.pypa.io/latest/cli/reference", .waits = true},
    {"hatch status", "", "none", EFFECT_PROJECT, "hatch.pypa.io/latest/cli/reference"},
    {"hatch test",
     "mixed -r,--randomize -p,--parallel --retries= --retry-delay= -c,--cover -a,--all "
     "-py,--python= -i,--include= -x,--exclude= -s,--show",
     "R*", EFFECT_PROJECT, "hatch.pypa.io/latest/cli/reference"},
    {"hatch version", "", "none", EFFECT_PROJECT, "hatch.pypa.io/latest/cli/reference"},
    {"ipython", "%-h,--help %-V,--version", "X*", EFFECT_CODE, "hatch.pypa.io/latest/cli/reference"
     },
    {"jupyter",
     "%-h,--help %--version %--paths %--config-dir %--data-dir",
     "sub", 0, "docs.jupyter.org, nbconvert.readthedocs.io"},
    {"jupyter kernelspec", "", "sub", 0, "docs.jupyter.org, nbconvert.readthedocs.io"},
    {"jupyter kernelspec list", "--json", "none", EFFECT_PROJECT, "docs.jupyter.org, "
     "nbconvert.readthedocs.io"},
    {"jupyter lab",
     "%-h,--help %--version",
     ".*", EFFECT_CODE | EFFECT_NETWORK, "docs.jupyter.org, nbconvert.readthedocs.io"},
    {"jupyter nbconvert",
     "mixed %-h,--help %--version --to= --output=W --output-dir=W --stdout --no-input --no-prompt "
     "--clear-output --inplace ^code--execute ^code--allow-errors --log-level= --template=R",
     "R*", EFFECT_PROJECT, "docs.jupyter.org, nbconvert.readthedocs.io"},
    {"jupyter notebook",
     "%-h,--help %--version",
     ".*", EFFECT_CODE | EFFECT_NETWORK, "docs.jupyter.org, nbconvert.readthedocs.io"},
    {"pdm",
     "%-h,--help %-V,--version -q,--quiet -v,--verbose -n,--non-interactive",
     "sub", 0, "pdm-project.org/en/latest/reference/cli",
     .starts_from = PY_FILES, .kit = "pypi"},
    {"pdm add",
     "mixed -d,--dev -G,--group= --no-sync -p,--project=P",
     ".*", EFFECT_INSTALL, "pdm-project.org/en/latest/reference/cli"},
    {"pdm build",
     "mixed --no-sdist --no-wheel -d,--dest=W -p,--project=P",
     "none", EFFECT_PROJECT | EFFECT_INSTALL, "pdm-project.org/en/latest/reference/cli"},
    {"pdm info",
     "mixed --python --where --packages --env --json",
     "none", EFFECT_PROJECT, "pdm-project.org/en/latest/reference/cli"},
    {"pdm install",
     "mixed -d,--dev --prod -G,--group= --no-lock --frozen-lockfile --check --dry-run --no-self "
     "-p,--project=P",
     "none", EFFECT_INSTALL, "pdm-project.org/en/latest/reference/cli"},
    {"pdm list",
     "mixed --tree,--graph --freeze --json --csv --markdown -r,--reverse --resolve --fields= "
     "--sort=",
     ".*", EFFECT_PROJECT, "pdm-project.org/en/latest/reference/cli"},
    {"pdm lock", "mixed --check --refresh", "none", EFFECT_INSTALL,
     "pdm-project.org/en/latest/reference/cli"},
    {"pdm outdated", "--json", ".*", EFFECT_PROJECT | EFFECT_FETCH,
     "pdm-project.org/en/latest/reference/cli"},
    {"pdm publish", "", ".*", EFFECT_SEND | EFFECT_PROJECT,
     "pdm-project.org/en/latest/reference/cli"},
    {"pdm remove", "mixed -d,--dev -G,--group=", ".*", EFFECT_INSTALL,
     "pdm-project.org/en/latest/reference/cli"},
    {"pdm run", "-s,--site-packages -p,--project=P", "I", 0,
     "pdm-project.org/en/latest/reference/cli", .waits = true},
    {"pdm show",
     "mixed --name --version --summary --license",
     ".*", EFFECT_PROJECT | EFFECT_FETCH, "pdm-project.org/en/latest/reference/cli"},
    {"pdm sync",
     "mixed -d,--dev --prod -G,--group= --clean",
     "none", EFFECT_INSTALL, "pdm-project.org/en/latest/reference/cli"},
    {"pdm update", "mixed -d,--dev -G,--group=", ".*", EFFECT_INSTALL,
     "pdm-project.org/en/latest/reference/cli"},
    {"pip", "versions global " PIP " %-h,--help -V,--version", "sub", 0, "pip 23 --help", .also = "pip3,pip2,python -m pip", .kit = "pypi", .set_by = "PIP_* HOME XDG_CONFIG_HOME"},
    {"pip cache", "", "sub", 0, "pip 23 --help"},
    {"pip cache dir", "", "none", 0, "pip 23 --help"},
    {"pip cache info", "", "none", 0, "pip 23 --help"},
    {"pip cache list", "--format=", ".", 0, "pip 23 --help"},
    {"pip check", "", "none", 0, "pip 23 --help"},
    {"pip config", "--editor=X", "sub", 0, "pip 23 --help"},
    {"pip config debug", "", "none", EFFECT_SECRETS, "pip 23 --help"},
    {"pip config get", "--global --user --site", ".", EFFECT_SECRETS, "pip 23 --help"},
    {"pip config list", "--global --user --site", "none", EFFECT_SECRETS, "pip 23 --help"},
    {"pip debug",
     "mixed --platform= --python-version= --implementation= --abi=",
     "none", EFFECT_SECRETS, "pip 23 --help"},
    {"pip download", PIP_INSTALL, ".*", EFFECT_INSTALL, "pip 23 --help"},
    {"pip freeze",
     "mixed -r,--requirement=R -l,--local --user --path=R --all --exclude-editable --exclude=",
     "none", 0, "pip 23 --help"},
    {"pip hash", "mixed -a,--algorithm=", "R*", 0, "pip 23 --help"},
    {"pip help", "", ".", 0, "pip 23 --help"},
    {"pip index", "", "sub", 0, "pip 23 --help"},
    {"pip index versions",
     "mixed "
     PIP_INDEX
     " --platform= --python-version= --json",
     "@package", EFFECT_FETCH, "pip 23 --help"},
    {"pip inspect", "mixed --local --user --path=R", "none", 0, "pip 23 --help"},
    {"pip install", PIP_INSTALL, ".*", EFFECT_INSTALL, "pip 23 --help"},
    {"pip list",
     "mixed "
     PIP_INDEX
     " ^fetch-o,--outdated ^fetch-u,--uptodate -e,--editable -l,--local --user --path=R --format= "
     "--not-required --exclude-editable --include-editable --exclude=",
     "none", 0, "pip 23 --help"},
    {"pip lock", PIP_INSTALL " -o,--output=W", ".*", EFFECT_INSTALL, "pip 23 --help"},
    {"pip show", "mixed -f,--files", ".*", 0, "pip 23 --help"},
    {"pip uninstall",
     "mixed -r,--requirement=R -y,--yes --break-system-packages",
     ".*", EFFECT_INSTALL, "pip 23 --help"},
    {"pip wheel", PIP_INSTALL, ".*", EFFECT_INSTALL, "pip 23 --help"},
    {"pip3", "=pip", "", 0, "pip 23 --help"},
    {"pipenv",
     "%-h,--help %--version %--where %--venv %--py %--envs -q,--quiet -v,--verbose",
     "sub", 0, "pipenv.pypa.io/en/latest/commands.html",
     .starts_from = PY_FILES, .kit = "pypi"},
    {"pipenv check", "", "none", EFFECT_PROJECT | EFFECT_FETCH,
     "pipenv.pypa.io/en/latest/commands.html"},
    {"pipenv graph",
     "--bare --json --json-tree --reverse",
     "none", EFFECT_PROJECT, "pipenv.pypa.io/en/latest/commands.html"},
    {"pipenv install",
     "mixed -d,--dev --deploy --system --ignore-pipfile --skip-lock -r,--requirements=R "
     "-e,--editable=",
     ".*", EFFECT_INSTALL, "pipenv.pypa.io/en/latest/commands.html"},
    {"pipenv lock", "mixed -d,--dev --pre", "none", EFFECT_INSTALL,
     "pipenv.pypa.io/en/latest/commands.html"},
    {"pipenv requirements",
     "--dev --dev-only --hash",
     "none", EFFECT_PROJECT, "pipenv.pypa.io/en/latest/commands.html"},
    {"pipenv run", "", "I", EFFECT_PROJECT, "pipenv.pypa.io/en/latest/commands.html", .waits = true},
    {"pipenv sync", "-d,--dev --system", "none", EFFECT_INSTALL,
     "pipenv.pypa.io/en/latest/commands.html"},
    {"pipenv uninstall", "mixed --all", ".*", EFFECT_INSTALL,
     "pipenv.pypa.io/en/latest/commands.html"},
    {"pipenv update", "mixed -d,--dev", ".*", EFFECT_INSTALL,
     "pipenv.pypa.io/en/latest/commands.html"},
    {"pipenv verify", "", "none", EFFECT_PROJECT, "pipenv.pypa.io/en/latest/commands.html"},
    {"pipx", "=", "", 0, "pipx --help", .danger = DANGER_COMMANDS},
    {"poetry", "global " POETRY, "sub", 0, "python-poetry.org/docs/cli", .danger = DANGER_COMMANDS,
     .starts_from = PY_FILES, .kit = "pypi", .set_by = "POETRY_*"},
    {"poetry about", "", "none", EFFECT_PROJECT, "python-poetry.org/docs/cli"},
    {"poetry add",
     "mixed -G,--group= -D,--dev -e,--editable -E,--extras= --optional --python= --platform= "
     "--source= --allow-prereleases --dry-run --lock",
     ".*", EFFECT_INSTALL, "python-poetry.org/docs/cli"},
    {"poetry build",
     "mixed -f,--format= --clean -o,--output=W",
     "none", EFFECT_PROJECT | EFFECT_INSTALL, "python-poetry.org/docs/cli"},
    {"poetry check", "--lock --strict", "none", EFFECT_PROJECT, "python-poetry.org/docs/cli"},
    {"poetry config", "", ".*", EFFECT_SECRETS | EFFECT_SYSTEM, "python-poetry.org/docs/cli"},
    {"poetry debug", "", "sub", 0, "python-poetry.org/docs/cli"},
    {"poetry debug info", "", "none", EFFECT_PROJECT, "python-poetry.org/docs/cli"},
    {"poetry env", "", "sub", 0, "python-poetry.org/docs/cli"},
    {"poetry env info", "-p,--path -e,--executable", "none", EFFECT_PROJECT,
     "python-poetry.org/docs/cli"},
    {"poetry env list", "--full-path", "none", EFFECT_PROJECT, "python-poetry.org/docs/cli"},
    {"poetry export",
     "mixed -f,--format= -o,--output=W --without-hashes --with= --without= --only= --all-extras "
     "--dev",
     "none", EFFECT_PROJECT, "python-poetry.org/docs/cli"},
    {"poetry install",
     "mixed --with= --without= --only= --sync --no-root --no-directory --dry-run -E,--extras= "
     "--all-extras --all-groups --only-root --compile --no-dev",
     "none", EFFECT_INSTALL, "python-poetry.org/docs/cli"},
    {"poetry list", "", ".", EFFECT_PROJECT, "python-poetry.org/docs/cli"},
    {"poetry lock", "mixed --no-update --regenerate --check", "none", EFFECT_INSTALL,
     "python-poetry.org/docs/cli"},
    {"poetry publish", "", ".*", EFFECT_SEND | EFFECT_PROJECT, "python-poetry.org/docs/cli"},
    {"poetry remove",
     "mixed -G,--group= -D,--dev --dry-run --lock",
     ".*", EFFECT_INSTALL, "python-poetry.org/docs/cli"},
    {"poetry run", "", "I", EFFECT_PROJECT, "python-poetry.org/docs/cli", .waits = true},
    {"poetry search", "", ".*", EFFECT_FETCH | EFFECT_PROJECT, "python-poetry.org/docs/cli"},
    {"poetry show",
     "mixed --with= --without= --only= -t,--tree -T,--top-level -a,--all ^fetch-l,--latest "
     "^fetch-o,--outdated --why --no-truncate -f,--format=",
     ".", EFFECT_PROJECT, "python-poetry.org/docs/cli"},
    {"poetry sync", "=poetry install", "", 0, "python-poetry.org/docs/cli"},
    {"poetry update",
     "mixed --with= --without= --only= --sync --dry-run --lock",
     ".*", EFFECT_INSTALL, "python-poetry.org/docs/cli"},
    {"poetry version", "-s,--short --dry-run", "none", EFFECT_PROJECT, "python-poetry.org/docs/cli"
     },
    {"python",
     "versions %-h,--help,-?,--help-env,--help-xoptions,--help-all %-V,--version -VV -b -bb -B -d "
     "-E -I -O -OO -P -q -s -S -u -v -x -W= -X= --check-hash-based-pycs= ^code-i -c=@python -m=X",
     "{-c} {-x,-W,-X,--check-hash-based-pycs,-i} -c=X .* | {-c} .* | {-i} ^code .* | {-VV} none | "
     "{0,-} {-x,-W,-X,--check-hash-based-pycs} ^code .* | {0,-} ^code in=@python .* | Z .*",
     0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html", .fronted = true,
     .launches = "",
     .starts_from = PY_FILES, .also = "python3,python2"},
    /* -m runs code of the project, whichever module it names: the rows below say so once more only where it decides how
     * they read values and operands. */
    {"python -m", "", "sub", EFFECT_PROJECT, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m ast",
     "mixed -m= -a --no-type-comments -i=",
     "R", EFFECT_PROJECT, "Python 3.11 --help, docs.python.org/3/using/cmdline.html",
     .runs_no_source = true},
    {"python -m black", "=black", "", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"
     },
    {"python -m build",
     "mixed -s,--sdist -w,--wheel -o,--outdir=W -n,--no-isolation -x",
     "R", EFFECT_PROJECT | EFFECT_INSTALL, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m compileall",
     "mixed -q -f -l -r= -j=",
     "R*", EFFECT_PROJECT, "Python 3.11 --help, docs.python.org/3/using/cmdline.html",
     .runs_no_source = true},
    {"python -m coverage", "=coverage", "", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m dis", "", "R", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m doctest",
     "mixed -v -f -o=",
     "R*", EFFECT_PROJECT, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m flake8", "=flake8", "", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m http.server", "", ".*", EFFECT_NETWORK, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m isort", "=isort", "", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"
     },
    {"python -m json.tool",
     "mixed %-h,--help --sort-keys --no-ensure-ascii --json-lines --indent= --tab --no-indent "
     "--compact",
     "{2} ^unknown R W | R", EFFECT_PROJECT, "Python 3.11 --help: any JSON becomes any file",
     .runs_no_source = true},
    {"python -m mypy", "=mypy", "", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m nox", "=nox", "", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m pip", "=pip", "", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m pipenv", "=pipenv", "", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m platform", "", ".*", EFFECT_PROJECT, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m poetry", "=poetry", "", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m py_compile",
     "-q,--quiet",
     "R*", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html",
     .runs_no_source = true},
    {"python -m pycodestyle",
     "mixed --max-line-length= --ignore= --select= --statistics --count --show-source --exclude=",
     "R*", EFFECT_PROJECT, "Python 3.11 --help, docs.python.org/3/using/cmdline.html",
     .runs_no_source = true},
    {"python -m pydoc", "", "@name*", EFFECT_PROJECT, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m pyflakes", "", "R*", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html",
     .runs_no_source = true},
    {"python -m pylint", "=pylint", "", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m pyright", "=pyright", "", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m pytest", "=pytest", "", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m ruff", "=ruff", "", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m site",
     "--user-base --user-site",
     "none", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m sysconfig", "", "none", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m tabnanny", "-q -v", "R*", 0, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html",
     .runs_no_source = true},
    {"python -m tarfile",
     "-v -l,--list=R -t,--test=R",
     "none", EFFECT_PROJECT, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m tokenize",
     "-e,--exact",
     "R", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html",
     .runs_no_source = true},
    {"python -m tox", "=tox", "", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m twine", "", "sub", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m twine check",
     "--strict",
     "R*", EFFECT_PROJECT, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m twine upload", "", ".*", EFFECT_SEND, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m unittest",
     "mixed %-h,--help -v,--verbose -q,--quiet --locals -f,--failfast -c,--catch -b,--buffer -k= "
     "--durations=",
     "R*", EFFECT_PROJECT, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m unittest discover",
     "mixed -v,--verbose -q,--quiet -f,--failfast -b,--buffer -k= -s,--start-directory=R "
     "-p,--pattern= -t,--top-level-directory=R",
     "R*", EFFECT_PROJECT, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python -m venv",
     "mixed %-h,--help --system-site-packages --symlinks --copies --clear --upgrade --without-pip "
     "--prompt= --upgrade-deps",
     "{--clear} wd* | W*", EFFECT_PROJECT, "Python 3.11 --help, "
     "docs.python.org/3/using/cmdline.html"},
    {"python -m zipfile",
     "-l,--list=R -t,--test=R",
     "none", EFFECT_PROJECT, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"python3", "=python", "", 0, "Python 3.11 --help, docs.python.org/3/using/cmdline.html"},
    {"uv", "global " UV " -V,--version", "sub", 0, "docs.astral.sh/uv/reference/cli",
     .danger = DANGER_COMMANDS,
     .starts_from = PY_FILES, .kit = "pypi", .set_by = "UV_*"},
    {"uv add",
     UV_SYNC
     " -r,--requirements=R -c,--constraints=R --optional= --editable --raw --bounds= --rev= --tag= "
     "--branch= --script=R",
     ".*", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv build",
     "mixed --sdist --wheel -o,--out-dir=W --package= --all-packages -p,--python=X --no-sources "
     "--clear",
     "R", EFFECT_PROJECT | EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv cache", "", "sub", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv cache dir", "", "none", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv cache size", "", "none", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv export",
     UV_SYNC
     " --format= -o,--output-file=W --no-hashes --hashes --no-header --no-annotate "
     "--no-emit-project",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "docs.astral.sh/uv/reference/cli",
     .hosts_in = UV_HOSTS},
    {"uv format", "mixed --check --diff", "R*", EFFECT_PROJECT, "docs.astral.sh/uv/reference/cli"},
    {"uv help", "--no-pager", ".*", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv lock", UV_SYNC " --script=R", "none", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv pip", "", "sub", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv pip check", "mixed --system -p,--python=X", "none", EFFECT_PROJECT,
     "docs.astral.sh/uv/reference/cli"},
    {"uv pip compile",
     PIP_INSTALL
     " -o,--output-file=W --universal --generate-hashes -P,--upgrade-package=",
     "R*", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv pip freeze",
     "mixed --exclude-editable --strict --system -p,--python=X",
     "none", EFFECT_PROJECT, "docs.astral.sh/uv/reference/cli"},
    {"uv pip install", PIP_INSTALL, ".*", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv pip list",
     "mixed -e,--editable --exclude-editable --exclude= --format= ^fetch--outdated --strict "
     "--system -p,--python=X",
     "none", EFFECT_PROJECT, "docs.astral.sh/uv/reference/cli"},
    {"uv pip show", "mixed -f,--files --strict --system -p,--python=X", ".*", EFFECT_PROJECT,
     "docs.astral.sh/uv/reference/cli"},
    {"uv pip sync", PIP_INSTALL, "R*", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv pip tree",
     "mixed --depth,-d= --prune= --package= --no-dedupe --invert ^fetch--outdated "
     "--show-version-specifiers --strict --system -p,--python=X",
     "none", EFFECT_PROJECT, "docs.astral.sh/uv/reference/cli"},
    {"uv pip uninstall",
     "mixed -r,--requirements=R --system -y --break-system-packages -p,--python=X",
     ".*", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv publish", "", ".*", EFFECT_SEND | EFFECT_PROJECT, "docs.astral.sh/uv/reference/cli"},
    {"uv python", "", "sub", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv python dir", "--bin", "none", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv python find", "mixed --no-project --system", "@package", EFFECT_PROJECT,
     "docs.astral.sh/uv/reference/cli"},
    {"uv python install",
     "mixed -f,--force -r,--reinstall --default",
     ".*", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv python list",
     "mixed --all-versions --all-platforms --only-installed --only-downloads --show-urls "
     "--output-format=",
     "@package", EFFECT_FETCH | EFFECT_PROJECT, "docs.astral.sh/uv/reference/cli",
     .hosts_in = UV_HOSTS},
    {"uv python pin", "mixed --rm --global", ". cwd=W", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv remove", UV_SYNC " --optional= --script=R", ".*", EFFECT_INSTALL,
     "docs.astral.sh/uv/reference/cli"},
    {"uv run",
     "--frozen --locked --no-sync --extra= --all-extras --no-extra= --group= --no-group= "
     "--all-groups --only-group= --dev --no-dev --only-dev --no-default-groups --package= "
     "--all-packages --exact --active --no-editable --no-sources --isolated --no-project "
     "--no-env-file --env-file=F ^install--with,--with-editable,--with-requirements= -p,--python=X "
     "!-m,--module= !-s,--script !--gui-script ^install-U,--upgrade ^install--reinstall",
     "I", EFFECT_PROJECT, "docs.astral.sh/uv/reference/cli", .waits = true},
    {"uv run -m", "=python -m", "", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv self", "", "sub", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv self update", "", ".*", EFFECT_INSTALL | EFFECT_SYSTEM, "docs.astral.sh/uv/reference/cli"},
    {"uv self version", "--short --output-format=", "none", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv sync", UV_SYNC " --script=R", "none", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv tool", "", "sub", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv tool dir", "--bin", "none", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv tool install",
     "mixed --force --with= -e,--editable -U,--upgrade -p,--python=X",
     ".*", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv tool list",
     "mixed --show-paths --show-version-specifiers --show-with --show-extras",
     "none", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv tool run", "=uvx", "", 0, "docs.astral.sh/uv/reference/cli"},
    {"uv tool uninstall", "--all", ".*", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv tool upgrade", "--all", ".*", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv tree",
     UV_SYNC
     " -d,--depth= --prune= --no-dedupe --invert ^fetch--outdated --universal --show-sizes",
     "none", EFFECT_PROJECT | EFFECT_FETCH, "docs.astral.sh/uv/reference/cli",
     .hosts_in = UV_HOSTS},
    {"uv venv",
     "mixed -p,--python=X --system-site-packages --seed --allow-existing --clear,-c --prompt= "
     "--relocatable --no-project",
     "W", EFFECT_INSTALL, "docs.astral.sh/uv/reference/cli"},
    {"uv version", "--short --output-format= --dry-run", "none", EFFECT_PROJECT,
     "docs.astral.sh/uv/reference/cli"},
    {"uvx",
     "%-h,--help %-V,--version --from= --with= -p,--python= --isolated",
     "X*", EFFECT_INSTALL | EFFECT_CODE, "docs.astral.sh/uv/reference/cli", .also = "uv tool run", .kit = "pypi"},
};
/* clang-format on */

extern const struct program_file rows_python;
const struct program_file rows_python = {"programs/rows/python.c", rows, COUNT(rows)};
