"""Random shell programs from a grammar: what changes the state of a shell, and what uses it.

The notation is that of shell_grammar.py. The leaves are harmless by themselves or are a probe: `touch` of a new file, ./evil, a secret. Whether a probe
runs depends on the state that the rest of the program leaves, which is what the analysis has to follow.
"""
import random

from shell_grammar import Grammar

STATE = Grammar(r"""
program
  8× v=touch⏎«list»⏎$v «target»
  8× v=echo⏎«list»⏎$v «target»
  2× a=(touch echo)⏎«list»⏎${a[0]} «target»
  2× a=(echo touch)⏎«list»⏎"${a[@]}" «target»
  2× set -- touch echo⏎«list»⏎"$1" «target»
  2× set -- echo touch⏎«list»⏎"$@" «target»
  2× f() { touch new⏎}⏎«list»⏎f
  2× f() { echo x⏎}⏎«list»⏎f
  2× v=/dev/null⏎«list»⏎echo x >$v
  2× v=new⏎«list»⏎echo x >"$v"
  2× v=sub⏎«list»⏎cat $v/a.txt
  2× v=~/.ssh⏎«list»⏎cat $v/a.txt
  2× cd ~/.ssh⏎«list»⏎cat a.txt
  2× cd ..⏎«list»⏎touch new
  2× cd sub⏎«list»⏎touch ../new
  «list»⏎cat a.txt
  2× «start»⏎«list»⏎«act»
  «list»⏎«act»
start
  8× v=touch⏎w=echo
  8× v=echo⏎w=touch
  v=echo⏎w=echo
  v=touch⏎w=touch
  v=new
  v=/dev/null⏎w=a.txt
  set -- echo touch⏎v=1
  set -- touch echo
  a=(touch echo)⏎i=0
  a=(echo touch)⏎i=0
  f() { "$@"⏎}
  f() { $v "$@"⏎}⏎v=echo
  f() { v=touch⏎}⏎v=echo
  f() { echo x⏎}⏎g() { touch new⏎}
  v=sub⏎w=~/.ssh
  v=..⏎w=sub
  v='touch new'⏎w='echo new'
act
  24× $v «target»
  3× $w «target»
  "$v" «target»
  ${a[0]} «target»
  ${a[$i]} «target»
  "$1" «target»
  "${!i}" «target»
  f «target»
  f $v «target»
  g «target»
  2× echo x >$v
  echo x >"$w"
  2× cd $v; cat a.txt; echo x > new
  cat a.txt
  eval "$v"
  echo x > new
  ls
  wait
list
  3× «statement»
  2× «statement»⏎«list»
statement
  2× «set»
  4× «flow»
  «use»
  «here»
inline
  3× «set»
  «use»
  «flow»
set
  100× «name»=«value»
  «name»=$(«inline»)
  3× «name»+=«value»
  12× «declare» «name»=«value»
  «declare» «name»
  6× «name»=«value» «use»
  «name»=«value» «name»=«value» «use»
  «name»=«value» eval «'inline»
  «name»=«value» :
  5× unset «unset» «name»
  3× read -r «name» <<<«value»
  read «name» «name» <<<«value»
  IFS=«ifs» read -r «name» «name» <<<«value»
  echo «value» | read «name»
  read -r «name» < <(echo «value»)
  read -ra a <<<«value»
  mapfile -t a <<<«value»
  printf -v «name» %s «value»
  printf -v «name» 'to%sch' u
  printf -v 'a[«index»]' %s «value»
  4× set -- «value» «value»
  set -- «word»
  shift
  2× a=(«word» «word»)
  a=([«index»]=«value»)
  a[«index»]=«value»
  a+=(«value»)
  declare -A m=([k]=«value»)
  m[k]=«value»
  3× : ${«name»:=«value»}
  : ${«name»=«value»}
  : "${a[«index»]:=«value»}"
  : $((«math»))
  ((«math»))
  let «'math»
  for «name» in «word» «word»⏎do :⏎done
  for «name» in «word» «word»⏎do «inline» && break⏎done
  for ((«math»; i<2; i++))⏎do «inline»⏎done
  4× «function»() { «use»⏎}
  «function»() { echo «word»⏎}
  5× «function»() { «name»=«value»⏎}
  function «function» { «list»⏎}
  unset -f «function»
  alias «command»=«value»
  shopt -s «option»
  shopt -s expand_aliases
  2× set «flag»
  IFS=«ifs»
  2× «special»=«value»
  export «special»=«value»
  6× cd «directory»
  cd «directory» && «inline»
  cd «directory» || «inline»
  pushd «directory»
  popd
  4× trap «'list» «signal»
  trap «'use» «signal»
  trap - «signal»
  exec «fd»>«file»
  exec <«file»
  exec «fd»<&-
  5× eval «'set»
  3× eval «"set»
  . /dev/stdin <<<«'set»
  source <(echo «'set»)
  command «set»
  builtin «set»
  getopts «value» «name» «word»
  select «name» in «word»⏎do break⏎done <<<1
  hash -p ./evil «command»
  enable -n «command»
  umask 0
  return
  break
use
  echo «word»
  40× «act»
  «word» «word»
  2× $«name» «target»
  "$«name»" «target»
  "$«name»"
  $«name»
  ${«name»} «word»
  ${a[«index»]} «target»
  ${m[k]} «target»
  "${a[@]}"
  "${a[@]}" «target»
  "$@"
  $1 «target»
  "$1" "$2"
  $*
  2× «function» «word»
  2× «command» «word»
  «command» «word» «word»
  «command» «word» «redirect»
  «command» «redirect»
  echo «word» «redirect»
  cat «file»
  cat <«file»
  sort «word» a.txt
  sed «word» a.txt
  sed -n «word» a.txt
  find . «word»
  find . -name «word»
  grep «word» a.txt
  awk «word» a.txt
  ls «word»
  test «word» «test» «word»
  [[ «word» «test» «word» ]]
  [[ -v «word» ]]
  test -v «word»
  echo $((«math»))
  echo ${a[«index»]}
  echo ${!«name»}
  echo "${«name»@P}"
  echo ${«name»:«index»}
  eval «word»
  eval "«name»=\$«name»"
  eval "$«name»"
  eval «'use»
  eval «"use»
  command «use»
  command «word» «target»
  builtin «word» «word»
  exec «word» «target»
  exec «use»
  env «word» «target»
  env «name»=«value» «word»
  env -u «name» «word» «target»
  nice «word» «target»
  timeout 2 «word» «target»
  echo «word» | xargs «word»
  echo «word» | xargs
  printf '%s\n' «word» | xargs -n1 «word»
  find sub -name c.txt -exec «word» {} \;
  sh -c «'list»
  sh -c «"list»
  bash -c «'list»
  bash -c «'use» «word» «word»
  sh -c «'use» «word» «word»
  sh -c "$«name»"
  sh -c '"$0" "$@"' «word» «word»
  echo «'list» | sh
  echo «word» | sh
  sh <<<«word»
  bash <<<«'list»
  time «use»
  ! «use»
  printf «word» «word»
  echo «word» | tee «file»
  cat <(«inline»)
  echo x > >(«inline»)
  type «word»
  wait
  true && «use»
  false || «use»
flow
  { «list»⏎}
  { «list»⏎} «redirect»
  2× («list»⏎)
  if «inline»⏎then «list»⏎fi
  if «test-command»⏎then «list»⏎else «list»⏎fi
  if «test-command»⏎then «list»⏎elif «inline»⏎then «list»⏎fi
  «test-command» && «inline»
  «test-command» && «inline» || «inline»
  «inline» && «inline»
  «inline» || «inline»
  for «name» in «word» «word»⏎do «list»⏎done
  for «name» in "$@"⏎do «list»⏎done
  for «name»⏎do «list»⏎done
  for i in 1 2⏎do «list»⏎done
  3× for i in 1 2 3⏎do «use»⏎«set»⏎done
  i=0⏎while [ $i -lt 3 ]⏎do i=$((i+1))⏎«list»⏎done
  while read -r «name»⏎do «list»⏎done <<<«value»
  echo «value» | while read -r «name»⏎do «list»⏎done
  until «inline»⏎do «list»⏎break⏎done
  case «word» in «pattern») «list»;; *) «list»;; esac
  case «word» in «pattern») «list»;& x) «list»;;& *) «inline»;; esac
  case $«name» in «pattern») «set»;; esac
  4× f() { «list»⏎}⏎f «word» «word»
  3× f() { local «name»=«value»⏎«list»⏎}⏎f «word»
  f() { local «name»=«value»⏎«list»⏎}⏎«list»⏎f «word»
  f() («list»⏎)⏎f
  f() { «list»⏎return 1⏎}⏎f || «inline»
  «name»=«value» f «word»
  2× «inline» | «inline»
  «inline» &
  «inline» &⏎wait
  coproc «inline»⏎wait
  echo $(«list»)
  echo "$(«list»)"
  echo `«use»`
here
  cat <<E⏎«list»⏎E
  cat <<E⏎$(«list»)⏎E
  sh <<E⏎«list»⏎E
  sh <<'E'⏎«list»⏎E
  bash <<'E'⏎«list»⏎E
  bash <<E⏎«list»⏎E
  read -r «name» <<E⏎«word»⏎E
  while read -r «name»⏎do «list»⏎done <<E⏎«word»⏎«word»⏎E
  cat <<'E' | sh⏎«list»⏎E
  eval "$(cat <<'E'⏎«list»⏎E⏎)"
  . /dev/stdin <<'E'⏎«list»⏎E
test-command
  true
  false
  [ «word» = «word» ]
  [ -n "$«name»" ]
  [[ «word» == «pattern» ]]
  [[ $«name» =~ «pattern» ]]
  [ -e «file» ]
  ((i))
  «command» «word» >/dev/null
name
  24× v
  4× w
  i
  a
special
  HOME
  PWD
  OLDPWD
  CDPATH
  PATH
  IFS
  PS4
  PS3
  BASH_ENV
  ENV
  REPLY
  OPTARG
  OPTIND
  GLOBIGNORE
  BASH_CMDS[ls]
  BASH_ALIASES[ls]
  FUNCNEST
  POSIXLY_CORRECT
  SHELLOPTS
  BASHOPTS
  EXECIGNORE
  TMPDIR
  PAGER
  PROMPT_COMMAND
  _
function
  8× f
  2× g
  echo
  cat
  ls
  cd
command
  echo
  ls
  cat
  :
  true
  printf
  cd
  test
declare
  export
  local
  declare
  declare -g
  declare -x
  declare -i
  declare -n
  declare -l
  declare -u
  declare -a
  readonly
  typeset
  export -n
  declare +x
unset
  ε
  -v
  -n
option
  nullglob
  dotglob
  extglob
  globstar
  lastpipe
  failglob
  nocaseglob
  nocasematch
  cdable_vars
  autocd
  xpg_echo
  localvar_inherit
  localvar_unset
  assoc_expand_once
  inherit_errexit
  globasciiranges
  sourcepath
  patsub_replacement
flag
  -f
  +f
  -e
  -u
  -a
  -k
  -x
  -o posix
  -o pipefail
  -C
  +B
  -T
  -E
  -P
  -
  --
ifs
  ,
  ''
  u
  $'\n'
  /
  o
  ' '
signal
  2× EXIT
  DEBUG
  ERR
  RETURN
  0
  CHLD
fd
  ε
  3
  {fd}
redirect
  >/dev/null
  2× >«file»
  >>«file»
  &>«file»
  >&«file»
  >|«file»
  2>«file»
  <>«file»
  <«file»
  <<<«word»
  2>&1
  >&3
  >&$fd
  >&$«name»
  3>«file»
  >$(echo «file»)
  > >(«use»)
file
  a.txt
  2× /dev/null
  $«name»
  "$«name»"
  "$1"
  ${a[«index»]}
  sub/$«name»
  $«name»/a.txt
  "${«name»:-a.txt}"
  "${«name»:-/dev/null}"
  ~+/a.txt
  $PWD/a.txt
  $OLDPWD/a.txt
  «target»
  *.txt
target
  9× new
  a.txt
  sub/new
  3× ../new
  ~/new
  .git/hooks/new
  .env
  ~/.ssh/a.txt
  -
directory
  2× sub
  .
  ..
  -
  ~
  ~/.ssh
  ../.ssh
  .git/hooks
  /
  nosuch
  "$«name»"
  $«name»
  ${«name»:-sub}
  $(echo «directory»)
  ~-
  sub/..
  ''
test
  =
  !=
  -eq
  -lt
  -nt
  <
  ==
pattern
  x
  *
  e*
  "$«name»"
  $«name»
  [et]*
  touch
  @(echo|touch)
index
  2× 0
  1
  -1
  i
  v
  $i
  $v
  «math»
  $(«inline»)
  @
math
  1
  i
  i=1
  i++
  v
  i=v
  v=1
  $v
  ${v}
  i+$v
  a[0]
  a[i]
  a[$v]
  a[$(«inline»)]
  $(«inline»)
  v[$i]=2
  i?v:w
  10#$v
word
  x
  4× «harmless»
  2× $«name»
  2× "$«name»"
  ${«name»}
  "${a[@]}"
  ${a[«index»]}
  "$1"
  "$@"
  $*
  ${m[k]}
  $(«inline»)
  "$(«inline»)"
  `«use»`
  $(echo «word»)
  2× «expansion»
  "«expansion»"
  $((«math»))
  «probe»
  «built»
  «target»
  «file»
  {«harmless»,«word»}
  <(«inline»)
  $_
  $?
  $#
  ${!«name»}
value
  echo
  30× echo
  30× touch
  4× new
  4× /dev/null
  4× «harmless»
  3× «probe»
  2× «built»
  $«name»
  "$«name»"
  "$«name» «word»"
  "$(«inline»)"
  $(«inline»)
  "$*"
  "$1"
  ${a[0]}
  "«expansion»"
  «target»
  «'use»
  «"use»
  ''
  «directory»
harmless
  2× echo
  cat
  ls
  :
  true
  printf
  a.txt
  sub
  x
  1
  0
  -r
  -n
  -1
  p
  /dev/null
  'echo x'
  'ls -l'
  'a b'
  *.txt
  sub/*
  test
  v
  w
  i
probe
  4× touch
  ./evil
  2× 'touch new'
  "touch new"
  >new
  -onew
  '-o new'
  -delete
  '-exec touch new ;'
  wnew
  -i
  '$(touch new)'
  '`./evil`'
  'a[$(touch new)]'
  'a[$(touch new)0]'
  'x;touch new'
  'echo $(touch new)'
  '{print > "new"}'
  v=touch
  tee
  rm
  eval
  command
  env
  exec
  sh
  source
  .
built
  to${w}uch
  t$«name»ouch
  $'to\x75ch'
  tou''ch
  to{u,x}ch
  touch$«name»
  $(echo touch)
  $(printf 'to%s' uch)
  "$«name»ch"
  ${«name»}ouch
  new$«name»
  $«name»new
  ./ev*
  t\ouch
  "`echo touch`"
expansion
  ${«name»:-«word»}
  ${«name»-«word»}
  ${«name»:+«word»}
  ${«name»+«word»}
  ${«name»:=«word»}
  ${«name»:?«word»}
  ${«name»#«pattern»}
  ${«name»##«pattern»}
  ${«name»%«pattern»}
  ${«name»/«pattern»/touch}
  ${«name»/echo/touch}
  ${«name»//x/touch}
  ${«name»/«pattern»/«word»}
  ${«name»^}
  ${«name»,,}
  ${«name»:«index»}
  ${«name»:0:«index»}
  ${#«name»}
  ${!«name»}
  ${«name»@P}
  ${«name»@E}
  ${«name»@Q}
  ${«name»@A}
  ${«name»@a}
  ${«name»@L}
  ${a[@]:1}
  ${a[@]/«pattern»/touch}
  ${a[*]}
  ${!a[@]}
  ${@:1}
  ${1:-«word»}
  ${*/echo/touch}
  ${a[@]@P}
""")


# A statement that is harmless after this is useful in a program: then not the statement itself asks, but what it does to
# the others.
PLAIN = "set -- echo echo\nv=echo w=echo i=0\na=(echo echo)\ndeclare -A m=([k]=echo)\nf() { echo x\n}\ng() { echo x\n}\n"
TRIES = 20


def make(random, harmless, symbol="program", depth=0):
    for _ in range(TRIES if symbol == "statement" else 1):
        tree = STATE.make(random, symbol, depth, lambda s, d: make(random, harmless, s, d))
        if symbol != "statement" or harmless(PLAIN + str(tree)):
            return tree
    return STATE.simplest(symbol)


def texts(seed, count, harmless):
    r = random.Random(seed)
    return (make(r, harmless) for _ in range(count))


def size(tree):
    return len(str(tree)), str(tree)


def reduced(tree, fails):
    """A smaller text that still fails."""
    smaller = tree
    while smaller:
        tree = smaller
        smaller = next((t for t in tree.smaller() if size(t) < size(tree) and fails(str(t))), None)
    lines = str(tree).split("\n")
    for i in reversed(range(len(lines))):
        without = lines[:i] + lines[i + 1:]
        lines = without if without and fails("\n".join(without)) else lines
    return "\n".join(lines)
