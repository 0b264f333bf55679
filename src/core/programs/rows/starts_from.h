/* starts_from.h - values of the column starts_from that several programs share.
 *
 * Such a file is code by itself, or names programs and modules that are run before any source of
 * the project: a script of package.json, a plugin of a linter, a hook of a build. */
#ifndef PROGRAMS_ROWS_STARTS_FROM_H
#define PROGRAMS_ROWS_STARTS_FROM_H

/* npm test may run any of these tools, and each reads its own settings. */
/* Of programs that run scripts of package.json: all of them. */
#define SCRIPT_RUNNERS                                                                             \
    "bun concurrently lerna node npm npm-run-all nx pnpm run-p run-s turbo wsrun yarn"

#define JS_FILES                                                                                   \
    "package.json .npmrc .yarnrc* .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml deno.json* "       \
    ".babelrc* babel.config.* jest.config.* vitest.config.* vitest.workspace.* vite.config.* "     \
    "webpack.config.* rollup.config.* esbuild.config.* rspack.config.* tsup.config.* "             \
    "next.config.* nuxt.config.* svelte.config.* astro.config.* eslint.config.* .eslintrc* "       \
    ".prettierrc* prettier.config.* postcss.config.* .postcssrc* tailwind.config.* "               \
    "stylelint.config.* .stylelintrc* playwright.config.* cypress.config.* karma.conf.* "          \
    "gulpfile.* Gruntfile.* turbo.json nx.json lerna.json .mocharc* ava.config.* .lintstagedrc* "  \
    "lint-staged.config.* .swcrc knip.config.* prisma.config.*"

#define PY_FILES                                                                                   \
    "conftest.py pytest.ini setup.cfg tox.ini pyproject.toml setup.py noxfile.py mypy.ini "        \
    ".pylintrc .coveragerc alembic.ini sitecustomize.py usercustomize.py manage.py"

#define CARGO_FILES                                                                                \
    "Cargo.toml build.rs .cargo/config.toml .cargo/config rust-toolchain rust-toolchain.toml "     \
    "rustfmt.toml .config/nextest.toml"

#define RUBY_FILES    "Gemfile gems.rb Rakefile rakefile Rakefile.rb .rspec .rubocop.yml"
#define DOTNET_FILES  "*.csproj *.fsproj *.vbproj *.sln *.slnx Directory.Build.* global.json"
#define PHP_FILES     "composer.json phpunit.* phpstan.* psalm.xml .php-cs-fixer* phpcs.xml* pint.json"
#define DART_FILES    "pubspec.yaml build.yaml analysis_options.yaml"
#define HASKELL_FILES "*.cabal cabal.project* stack.yaml package.yaml Setup.hs Setup.lhs"

#endif
