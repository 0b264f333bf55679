"""Random shell texts about words: what a word becomes by all expansions, and what changes that.

The notation is that of shell_grammar.py. Nearly everything is printed with echo, which is allowed with any words: so a word
that is read wrongly shows in a text that would have run without a question.
"""
from shell_grammar import Grammar

EXPANSIONS = Grammar(r"""
program
  4× «observe»
  12× «setting»⏎«observe»
  12× «setting»⏎«setting»⏎«observe»
  6× «setting»⏎«setting»⏎«observe»⏎«observe»
  4× «setting»⏎«setting»⏎«setting»⏎«observe»
  3× «setting»; «setting»; «setting»; «setting»; «observe»
  2× «scope»⏎«observe»
  3× «place»
  2× «setting»⏎«place»
  «setting»⏎«scope»⏎«observe»
setting
  8× «name»=«value»
  3× v=a va=x vb=y vv='q r' v1=z v_x=-n
  2× «name»=«value» «name»=«value»
  2× «name»+=«value»
  6× a=(«element» «element» «element»)
  3× a=(«element»)
  2× a=()
  2× a=('' «element»)
  2× a=([«index»]=«value» «element»)
  2× a+=(«element»)
  2× a[«index»]=«value»
  a[«index»]+=«value»
  unset a[0]
  unset 'a[«index»]'
  2× declare -A m=([k]=«value» [l]=«value»)
  m[k]=«value»
  unset «name»
  unset -v «name»
  10× set «set-words»
  3× shift
  shift «number»
  «declaration» «name»=«word»
  3× «declaration» «name»=«word» «name»=«word»
  2× «declaration» «name»
  «declaration» -a a=(«element» «element»)
  «declaration» -- «name»=«word»
  «declaration» "«name»=«dq»"
  «declaration» «name»+=«value»
  w='x v=b'; «declaration» «name»=$w
  w='x v=b'; «declaration» «name»=«prefix»$w
  2× read «read-option»«name» <<< «word»
  2× read «read-option»«name» «name» <<< «word»
  read -ra a <<< «word»
  read -a a <<< "«dq»"
  IFS=«ifs» read -ra a <<< «word»
  IFS=«ifs» read «name» «name» <<< «word»
  read «name» <<E⏎«dq»⏎E
  mapfile -t a <<< «word»
  mapfile a <<< "«dq»"
  mapfile -t -O 1 a <<< «word»
  mapfile -t -n 1 a < <(echo «word»; echo b)
  readarray -t a < <(printf '%s\n' «word» «word»)
  printf -v «name» %s «word»
  printf -v «name» '%s-%s ' «word» «word»
  printf -v 'a[«index»]' %s «word»
  printf -v a[1] %s «word»
  printf -v «name» '%d' «number»
  printf -v «name» «word»
  2× IFS=«ifs»
  declare -n r=«name»
  declare -n r=a
  r=«value»
  : ${«name»:=«word»}
  : "${«name»=«word»}"
  : $((«math»))
  ((«math»))
  let «'math»
  for «name» in «word» «word»; do :; done
  for «name» in "«dq»"; do :; done
  case «word» in «glob») v=b;; *) w=b;; esac
  [[ «word» == «glob» ]] && «name»=«value»
  if [ «word» = «word» ]; then «name»=«value»; fi
  «name»=«value» true
  «name»=«value» :
  «name»=«value» eval «'setting»
  eval «'setting»
  eval «name»=«word»
  eval «"setting»
  getopts ab: «name» -a x
  local «name»=«value»
  export «name»
  shopt -s «option»
  set -o «set-option»
  f() { echo "$@"⏎}
  true && «setting»
  false || «setting»
  { «setting»⏎}
  2× «fails»
  3× «fails»; «name»=«value»
  3× v=b⏎«fails»; «setting»
  f() { «fails»; «name»=«value»⏎}⏎f; «setting»
  v=a; «fails»; v=b; «fails»; v=a
  f() { local v=a; «fails»⏎}⏎v=b⏎f; v=a
  for i in 1 2; do v=$i; «fails»; v=b; done; v=2
  if «observe»; then v=b; «fails»; exit; fi; v=a
  false || { v=b; «fails»; exit; }; v=a
  case $w in *) v=b; «fails»;; esac; v=a
  eval "v=b; «fails»; v=a"
  eval 'echo \'
  eval "echo «dq»\\"
  eval $'echo a\\\n'
  [[ '' || «char»b ]]
  ! echo «word»
  (v=b; «fails»; «setting»); v=a
  2× «evaluated»
  2× «commanded»
  for i in 1 2; do echo "$v"; «commanded»⏎done
  while read x; do echo $v; «commanded»⏎done <<< b
  exec {v}> /dev/null
  : {v}>&1
  «name»= ; «setting»
evaluated
  : ${u:-${v:=b}}
  : ${w:+${v:=b}}
  : ${«name»«operator»${v:=b}}
  : ${w#${v:=b}}
  : ${a[@]/${v:=b}/x}
  : ${w:${v:=1}}
  : ${w:${i:=1}:${v:=2}}
  [[ $w || ${v:=b} ]]
  [[ -n $w && $((v=1)) -eq 1 ]]
  [[ ! ( $w && ${v:=b} ) ]]
  (( $i && (v=1) ))
  (( i ? v++ : w++ ))
  (( v=1, «math», i=2 ))
  : $(( «math» || (v=1) ))
  case a in ${v:=b}) ;; a | ${w:=b}) ;; esac
  cat <<< ${v:=b}
  cat <<E⏎${v:=b}⏎E
  echo x > ${v:=new}
  ls ${v:=b} > ${w:=new}
  { :⏎} <<< ${v:=b}
  (:) <<< ${v:=b}
  x=${v:=b} ls <<< ${w:=b}
  ls ${v:=b} &
  ls ${v:=b} | cat
  for ((«math»;«math»;v++)); do break; done
  for ((i=0;i<2;i++)); do v=$i; done
  for ((v=-1;v<1;v++)); do echo $v; done
  for ((in e;;v++)); do :; done
  while (( v++ < 2 )); do echo $v; done
  until (( ++v )); do :; done
  : ${!w:=b}
  w=v; : ${!w:=b}
  : ${a[i=1]} ${a[v++]:-b}
  a[v=1]=b
  : $((v = i))
commanded
  ex{port,} "v=b"
  ex{port,} "v=«dq»"
  {export,v=b}
  {export,v}=b
  e{val,} v=b
  {read,v} <<< «word»
  {unset,v}
  {unset,-v} v
  {shift,1}
  {set,--} «words»
  {cd,sub}
  {,cd} sub
  {printf,-v} v b
  printf -{v,v} b
  read {v,w} <<< «word»
  export {v,w}=b
  unset {v,w}
  "ex"port v=b
  $'export' v=b
  ${nosuch}export v=b
  e=export; $e v=b
  e=eval; $e v=b
  e='export v'; $e=b
  e='unset v'; $e
  c=cd; $c sub; echo x
  $(echo export) v=b
  `echo unset` v
  ''unset v
  export "v$w"
  export "v=$w"
  export v"=b"
  export v$w
  declare "$w=b"
  unset "$w"
  read "$w" <<< b
  printf -v "$w" b
  command {read,v} <<< b
  builtin ex{port,} v=b
fails
  : $((1/0))
  : ${1=x}
  : ${@=x}
  : ${a[@]=x}
  : ${!u}
  : ${!v}
  : ${u?x}
  : ${1:?}
  : ${v:?«operand»}
  : "${a[0]:?}"
  x=${v:?} true
  shift 1 2
  history 1 2
  shopt -s failglob; echo nosuch*
  set -u; : $nosuch
  set -u; : ${1#x}
  z=2 true
  readonly z; z=2 echo x
  a[]=x
  : ${a[]}
  : ${x y}
  : ${@:1:-1}
  : $((v=))
  : $((1 2))
  : $[1/0]
  ((v=1/0))
  for ((1/0;;)); do v=b; done
  : ${v:«math»:-9}
  : ${a[-9]}
  : ${a[«index»]=«value»}
  : ${#=x}
  : «parameter»
  : "${«parameter»}"
  echo ${«parameter»}
  readonly z=1; z=2
  readonly v
  a[-9]=x
  a[@]=x
  1=x
  echo nosuch*
  echo < nosuch
  «name»=$((1/0))
  for v in ${1=x}; do :; done
  case ${1=x} in *) :;; esac
  [[ ${1=x} ]]
  (( 1/0 ))
  let 1/0
  local v=1
  unset z 1x
  cd nosuch
  shift 9
  . ./nosuch
  nosuch
  eval «'fails»
  x=${1=x} true
  echo x > ${1=x}
  break
  return
  exit
  trap - NOSUCH
  declare 1x=2
  export 1x
  read 1x <<< a
  printf -v 1x a
  printf %d x
  getopts
observe
  14× echo «words»
  5× echo «word» «word» «word»
  5× echo «word»
  3× printf '%s\n' «words»
  2× cat «word»
  2× ls «words»
  grep «word» a.txt
  grep -e «word» a.txt
  test «word»
  [ «word» = «word» ]
  [ -n «word» ]
  3× for x in «words»; do echo $x; done
  2× for x in «words»; do echo "$x" z; done
  for x in "«dq»"; do echo "$x"; done
  for x; do echo $x; done
  3× f() { echo "$@"; echo $1 $#⏎}⏎f «words»
  2× f() { for x in "$@"; do echo "[$x]"; done⏎}⏎f «words»
  f() { local «name»=«word»; echo $v $w⏎}; f «word»; echo $v
  2× bash -c "«dq»"
  2× bash -c "echo «dq»"
  bash -c 'echo "$@" $0' «words»
  bash -c 'echo $1' _ «words»
  bash -c "${a[*]}"
  sh -c "$v"
  2× eval "echo «dq»"
  eval echo «word»
  eval «"observe»
  2× «words»
  ${v}«word» «word»
  command echo «words»
  builtin echo «words»
  env echo «words»
  echo x | xargs echo «words»
  echo «words» | cat
  echo $(echo «words»)
  echo $(«fails»; echo «word»)x
  echo $(x=$((«math»)) echo «word»)x
  echo x$(echo «word» ${«parameter»})
  echo "$(echo «words»)"
  echo "$(«observe»)"
  echo `echo «word»`
  echo «word» > /dev/null
  3× echo x > «word»
  2× echo x >> «prefix»"«dq»"
  echo x > new«word»
  echo x 2> «word» > new
  { echo x⏎} > «word»
  exec 3> «word»; echo x >&3
  echo x &> «word»
  echo x >& «word»
  echo x >| «word»
  echo x <> «word»
  v=«value»; echo x > $v
  for x in «words»; do echo x > "$x"; done
  cat < «word»
  cat <<< «word»
  cat <<E⏎«dq»⏎E
  bash <<E⏎echo «dq»⏎E
  bash <<'E'⏎«observe»⏎E
  (echo «words»)
  { echo «words»; echo «words»; }
  true && echo «words»
  «observe»⏎«observe»
  ! echo «words»
  time echo «words»
  [ -z "«dq»" ] || echo «word»
  [[ «word» = «glob» ]] && echo «word»
  case «word» in «glob») echo «word»;; *) echo z;; esac
  while read x y; do echo $x "$y"; done <<< «word»
  printf '%s\n' «words» | while read x; do echo "$x"; done
  source /dev/stdin «words» <<< 'echo "$@"'
  . /dev/stdin «words» <<< 'echo $1'
  echo 'echo $1 "$@"' > new; . ./new «words»
  echo 'echo $1 "$@"' > new; bash new «words»
  echo 'set -- b' > new; . ./new «words»; echo $1
  echo $((«math»))
  select x in «words»; do echo $x; break; done <<< 1
  trap «'observe» EXIT
scope
  f() { local «name»=«value»; «setting»; echo $v $w "${a[@]}"⏎}⏎f «words»
  f() { local «name»; «setting»⏎}⏎f
  f() { «setting»⏎}⏎f «words»
  f() { set -- «words»; echo $1⏎}⏎f «word»; echo $1
  f() { shift; echo "$@"⏎}⏎f «words»
  f() { local a=(«element» «element»); g⏎}⏎g() { echo "${a[@]}" $v⏎}⏎f
  f() { declare «name»=«value»; g; echo $v⏎}⏎g() { v=b⏎}⏎f
  f() { declare -g «name»=«value»⏎}⏎f
  f() { local -n r=$1; r=«value»⏎}⏎f «name»
  f() { unset «name»; echo $v⏎}⏎«name»=x f
  «name»=«value» f «words»
  («setting»; echo «words»)
  «setting» | «observe»
  echo $(«setting»; echo «words»)
  f() { local IFS=«ifs»; echo $*; echo "$*"⏎}⏎f «words»; echo $*
  f() { local -; set -f; echo *⏎}⏎f; echo *
  echo «word» | read «name»
  { «setting»⏎} &
  if «observe»; then «setting»; else «setting»; fi
  for v in «word» «word»; do «setting»⏎done
  while false; do «setting»⏎done
  until true; do «setting»⏎done
  case $v in «glob») «setting»;; esac
  eval «'scope»
place
  cd «directory»; echo x
  cd «directory» && echo x || echo y
  cd «directory» || echo z; echo x
  pushd «directory»; echo x; popd; echo y
  pushd «directory»; pushd «directory»; «stack»; echo x
  «stack»; «stack»; echo x
  pushd «directory»; «stack»; «stack»; echo x; cd -; echo y
  cd «directory»; «stack»; echo x
  cd «directory»; cd -; echo x
  (cd «directory»; echo x); echo y
  f() { cd «directory»⏎}⏎f; echo x
  cd «directory» | echo x; echo y
  for d in «directory» «directory»; do cd $d; echo x; done
  v=«directory»; cd $v; echo x; cd "$OLDPWD"; echo y
  CDPATH=«directory» cd sub; echo x
  HOME=«directory»; cd; echo x
  cd «directory»; echo ~+ ~- $PWD $OLDPWD
  pushd «directory»; echo ~1 ~+0 ~-0 "${DIRSTACK[@]}"
  DIRSTACK[1]=«directory»; popd; echo x
  eval "cd «directory»"; echo x
  «place»; «place»
  4× «moves»; echo x
moves
  «stack»; «stack»
  «stack» && «stack»
  «stack» || «stack»
  2× «moves»; «moves»
  «moves» && «moves»
  «moves» || «moves»
  { «moves»⏎}
  ! «stack»
  if «moves»; then «moves»; fi
  if «stack»; then «moves»; else «moves»; fi
  for i in 1 2; do «moves»⏎done
  while «stack»; do «moves»; break⏎done
  case x in x) «moves»;; esac
stack
  pushd
  popd
  pushd «directory»
  pushd +1
  pushd -1
  pushd -n «directory»
  popd -n
  popd +1
  popd -0
  dirs
  dirs -c
  command dirs -c
  command popd
  builtin pushd «directory»
  dirs +1
  cd -
  cd «directory»
  DIRSTACK[1]=«directory»
  DIRSTACK=(«directory» «directory»)
  OLDPWD=«directory»
  unset DIRSTACK
  true && popd
  false || pushd sub
  popd && echo p
  popd || echo q
directory
  sub
  3× sub
  sub2
  sub/sub
  ..
  .
  -
  /
  nosuch
  2× /nosuch
  ~
  ~/.ssh
  $v
  "$v"
  ${v:-sub}
  {sub,sub2}
  {sub}
  {sub},x}
  s*
  s[u]b
  s["u"]b
  --
  -- sub
  -P sub
  -L sub/..
  -e sub
  ''
  ~-
  ~+/sub
  $OLDPWD
  sub sub2
words
  2× «word»
  4× «word» «word»
  «word» «word» «word»
  "$@"
  $@
  $*
  "$*"
  "${a[@]}"
  ${a[@]}
  "${a[*]}"
  "«prefix»$@«suffix»"
  "«prefix»${a[@]}«suffix»"
word
  6× «piece»
  12× «piece»«piece»
  8× «piece»«piece»«piece»
  3× «piece»«piece»«piece»«piece»
  6× "«dq»"
  3× «prefix»"«dq»"
  6× «brace»
  3× «brace»«piece»
  3× «piece»«brace»
  3× «bracket»
  2× «slashes»
  2× «tilde»
  4× ${«parameter»}
piece
  a
  10× «char»
  6× $«name»
  3× ${«name»}
  2× $«special»
  10× ${«parameter»}
  3× "«dq»"
  2× "$«name»"
  2× '«char»«char»'
  '«char» «char»'
  \«char»
  $'«char»\t'
  $'«char»\x41'
  2× «brace»
  $(echo «word»)
  `echo a`
  $((«math»))
  «bracket»
  $"a"
char
  a
  4× b
  2× v
  x
  1
  ,
  {
  }
  [
  ]
  3× $
  -
  =
  ~
  *
  ?
  :
  .
  /
  _
  @
  +
  !
  ^
  %
  #
prefix
  C
  ε
  -v
  x
  "a b"
  $v
  ~/
suffix
  ε
  D
  $v
  -
dq
  $v
  3× «dqpiece»
  5× «dqpiece»«dqpiece»
  3× «dqpiece»«dqpiece»«dqpiece»
dqpiece
  a
  4× «char»
  2× a b
  6× $«name»
  3× $«special»
  12× ${«parameter»}
  \$v
  \\
  \a
  $(echo «word»)
  $(echo "«dq»")
  `echo a`
  $((«math»))
  {a,b}
  '
  ~
  *
brace
  {a,b}
  8× {«brace-part»,«brace-part»}
  4× {«brace-part»,«brace-part»}«piece»
  4× «piece»{«brace-part»,«brace-part»}
  3× $v{«brace-part»,«brace-part»}
  3× {$,b}«char»
  3× {$v,b}«char»
  {«brace-part»}
  2× {«brace-part»},«brace-part»}
  2× {«brace-part»}«char»,«brace-part»}
  {{«brace-part»,«brace-part»}},«brace-part»}
  {«brace»,«brace-part»}
  x{«brace»,«brace»}y
  {«brace»}
  {},«brace-part»}
  a{},«brace-part»}
  {},{«brace-part»,b}
  {1..3}
  {«number»..«number»}
  {«number»..«number»..«number»}
  {a..c}
  {«char»..«char»}
  {01..3}
  {1..2..3..4}
  {,}
  {a,}
  {,«brace-part»}
  {«brace-part»,«brace-part»
  {«brace-part»,«brace-part»}}
  {{«brace-part»,«brace-part»}
  \{«brace-part»,«brace-part»}
  "{"«brace-part»,«brace-part»}
  {«brace-part»\,«brace-part»}
  {«brace-part»","«brace-part»}
  {«brace-part»,«brace-part»\}
  ${v{a,b}}
  $«brace»
  ${v}{«brace-part»,«brace-part»}
  "$v"{«brace-part»,«brace-part»}
  "${v}{a,b}"
  {$'a',b}
  {$(echo a),b}
  {$(echo «word»)},b}
  {`echo a`,b}
  {$((1+1)),b}
  {"«dq»",b}
  {«brace-part»,{«brace-part»,{«brace-part»,«brace-part»}}}
  $v{1..2}
  v{=,b}
  {v,w}=b
  {~,b}
  {~/x,a}
  ~{/x,b}
brace-part
  a
  3× «char»
  b
  ε
  $
  $v
  ${v}
  "a b"
  '}'
  ','
  \}
  \,
  x*
  "$v"
  ${«parameter»}
  $(echo b)
  {c,d}
  {c
  c}
  {}
  1..3
  a b
  ~
  ''
  ]
  [
slashes
  //a*
  sub//c*
  sub//*
  .//k*
  ./k.?
  /./w/*
  sub/../k*
  sub/*/
  sub//*//
  *//
  //«char»*
  ///w/[k]*
  "sub"//c*
  sub/""/c*
  sub/./*
  s*//c*
  s*/./c*
  s*/..
  ../*/k.t
  /w//s*//
  ~//*
  ~/*/
  $PWD//*
  ${v}//*
bracket
  [ab]
  k.[t]
  4× «bracket-part»[«bracket-part»]«bracket-part»
  2× [«bracket-part»«bracket-part»]
  [«bracket-part»
  «bracket-part»]
  ["«char»"]*
  [\«char»]
  [$v].t
  k.["t"]
  k.[$v]
  k.['t'x]
  k.[!x]
  k.[^"x"]
  [[:alpha:]].t
  [k-l].t
  [$v
  [«bracket-part»]"]"
  ["$@"].t
bracket-part
  k
  t
  "t"
  't'
  \t
  $v
  "$v"
  ${v}
  ${u:-t}
  $(echo t)
  *
  ε
  .
  !
  -
  {k,l}
tilde
  ~
  ~/x
  ~+
  ~-
  ~/«char»
  "~"
  \~
  a=~
  a=~/x:~
  ~$v
  ~"u"
  x~
  :~
  ~nobody
  ${v:-~}
  "${u:-~}"
  ${v#~}
  "${v#~}"
  "${v%%~/x}"
  ~u/x
parameter
  «name»
  3× «name»«operator»
  3× a[@]
  3× a[*]
  8× a[@]«operator»
  5× a[*]«operator»
  3× a[«index»]
  2× a[«index»]«operator»
  m[k]
  m[k]«operator»
  m[@]
  !m[@]
  2× @
  2× *
  6× @«operator»
  4× *«operator»
  1
  2
  3× 1«operator»
  10
  #
  #«name»
  #a[@]
  #@
  !a[@]
  !a[*]
  2× !«name»
  !«name»«operator»
  !v*
  !v@
  r
  r[@]
  r«operator»
  u:-«operand»
  u-«operand»
  u:-$@
  u:-"$@"
  u-${a[@]}
  u:+«operand»
  v:+"«dq»"
  v+«operand»
  -
  ?
  #-«operand»
  #:-a
  @:1
  @:0
  *:2
  @:«math»:«math»
  a[@]:1
  a[@]:0:1
  a[@]: -1
  a:1
  0
operator
  :-«operand»
  -«operand»
  :+«operand»
  +«operand»
  :=«operand»
  =«operand»
  :?«operand»
  #«glob»
  ##«glob»
  %«glob»
  %%«glob»
  /«glob»/«operand»
  //«glob»/«operand»
  /#«glob»/«operand»
  /%«glob»/«operand»
  /«glob»
  //«glob»
  ^
  ^^
  ,
  ,,
  ^^«glob»
  :«math»
  :«math»:«math»
  : -1
  :0
  :1
  @Q
  @E
  @P
  @A
  @a
  @U
  @u
  @L
  @K
  @k
  ~
  ~~
operand
  b
  «piece»
  «piece»«piece»
  «word»
  "«dq»"
  x "«dq»"
  a b
  '«char»'
  \«char»
  "a\b"
  "x\«char»y"
  'a b'
  ~
  ~/x
  $@
  "$@"
  ${a[@]}
  "${a[@]}"
  ε
  $'\n'
  {a,b}
  }
  \}
  &
glob
  a
  *
  ?
  «char»
  "«char»"
  \«char»
  [ab]
  [«char»]
  $v
  "$v"
  ~
  '*'
  ?*
  *b
  a*
  @(a|b)
  *(a)
  !(b)
  +([ab])
  ${v}
  x*y
  $'a'
  ε
value
  a
  2× b
  'a b'
  3× «word»
  "«dq»"
  ''
  '*'
  'a,b:c'
  ' a  b '
  $'a\tb\nc'
  'k.[t]'
  $*
  "$*"
  $@
  "$@"
  "${a[@]}"
  ${a[*]}
  ~
  ~/x:~/y
  a:~
  '{a,b}'
  '-n'
  '$v'
  ']'
  'a[1]'
  v
  w
  1
  'k.t'
  '~'
  'a\b'
  'echo x'
element
  b
  2× «word»
  ''
  'a b'
  «piece»
  "$@"
  "${a[@]}"
  -n
  '*'
  [2]=c
  k.*
  'echo q'
set-words
  -- «words»
  4× -- «word» «word»
  2× -- '' «word»
  --
  -
  - «words»
  +
  + «words»
  + «word»
  -x + «words»
  -e -- «word»
  +e «words»
  -e
  -u «word»
  -f
  +f
  -f -- «words»
  «words»
  a «words»
  a -x b
  -- -x b
  -x -- b
  -o noglob
  +o noglob «word»
  -o pipefail «word»
  -ef «word»
  -eo pipefail «word»
  -B «word»
  +B
  + + «word»
  + -- «word»
  -- "$@" «word»
  -- "${@:2}"
  -- $v
  $v
  "$v"
  -- {a,b}
  -a «word»
  -eu + «word»
  -o
  +o
declaration
  export
  declare
  local
  readonly
  typeset
  \export
  "declare"
  e\xport
  'readonly'
  ''export
  command export
  builtin declare
  \command export
  command \declare
  declare -x
  declare -r
  declare +x
  declare -g
  export -n
  declare -p
  typeset -p
  export -p
  declare -i
  declare -u
  declare -l
  $(echo export)
  ex{port,}
  declare -gx
name
  v
  12× v
  6× w
  2× u
  a
  i
  va
  x
  m
  r
special
  @
  *
  #
  1
  2
  ?
  -
  !
  _
  0
  3
  IFS
index
  0
  1
  -1
  2
  i
  $i
  «math»
  v
  @
math
  1
  0
  2
  -1
  i
  i+1
  1+1
  v
  $i
  i=2
  i++
  #v
number
  1
  2
  3
  0
  -1
  10
  05
ifs
  ,
  :
  ' '
  ''
  a
  b
  $' \t\n'
  $'\n'
  ': '
  x
  ab
  ,a
  v
  é
  -
  '*'
read-option
  ε
  -r ε
  -a ε
  -d , ε
  -n 1 ε
  -N 2 ε
option
  extglob
  nullglob
  dotglob
  failglob
  globstar
  nocaseglob
set-option
  noglob
  braceexpand
  posix
  nounset
""")
