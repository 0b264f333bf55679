"""Command lines that reach a file which a rule on paths names, without naming it: for tools/denied-exec.

Each is made of a WAY to reach files, with a directory, a pattern, a list of names or a computed name in it, and of a DRESSING around that.
A rule is broken if the file that it names was read, or changed, or is gone: the kernel keeps the times of that, whoever prints what.
"""
import os, re

# Rules, the file that each is about, and what must not have happened to it.
RULES = [
    (["Read(**/secret)"], "sub/deep/secret", "read"),
    (["Read(.env)"], "sub/deep/.env", "read"),
    (["Edit(**/generated/**)"], "sub/deep/generated/out.txt", "change"),
    ([{"effect": "delete", "paths": ["**/secret"]}], "sub/deep/secret", "delete"),
    (["Edit(../far/**)"], "../far/deep/x.txt", "change"),
    (["Edit(/lout/**)"], "../far/deep/x.txt", "change"),
    (["Read(/lout/**)"], "../far/deep/x.txt", "read"),
]
FILES = {
    "sub/deep/secret": "CANARY one\n", "sub/deep/.env": "TOKEN=CANARY one\n", "sub/deep/generated/out.txt": "one\n", "sub/deep/plain.txt": "one\n", "sub/a.txt": "one\n",
    "clean/x.txt": "one\n", "clean/deep/y.txt": "one\n", "f": "one\ntwo\n", "../far/deep/x.txt": "one\n", "../far/y.txt": "one\n", "twin/deep/secret": "", "twin/deep/generated/out.txt": "",
    "names": "sub/deep/secret\nsub/deep/.env\nsub/deep/generated/out.txt\nlout/deep/x.txt\n", "dirs": "sub\nlout/deep\n", "w": "sub\n", "s.tar": "",
}
LINKS = {"lout": "../far", "lsub": "sub"}
# A directory with the files below it, in many spellings; %q stands for one of these.
DIRECTORIES = ["sub", "./sub", "sub/", "sub/.", "sub/deep", "sub/deep/", "clean/../sub", "$PWD/sub", "\"$PWD\"/sub/deep", "s\\ub", "'sub'", "su?", "su*", "s[u]b", "{sub,clean}", "sub/*",
               "./*", "sub/../sub", "sub//deep", "lsub/", "lsub/deep", "lout/", "lout/deep", "../far", "../far/deep", "$(echo sub)", "$(cat w)", "${x:-sub}", "."]
# Files by a pattern that the program itself fills, or a word that it takes apart: %p.
PATTERNS = ["'sub/*'", "'sub/deep/*'", "'*secret'", "'*.env'", "':/sub'", "':(glob)**'", "':(glob)sub/**'", "':(icase)SUB'", "':(top)sub'", "'*'", "':!clean'", "'sub/deep/s*'", "'**/out.txt'",
            "':(glob)**/secret'", "'sub/deep/[s.]*'", "."]
# Names by way of a list: %n prints them, one to a line; %0 with NULs; %l is a file with them.
LISTS = ["find sub lout/ -type f", "cat names", "ls -d sub/deep/*", "ls -dA sub/deep/{*,.e*,generated/*} lout/deep/*", "printf '%%s\\n' sub/deep/sec'ret'", "sed '' names", "git ls-files sub", "echo sub/deep/sec[r]et",
         "tr a-z a-z < names", "find sub lout/ -name '*e*' -print", "rev names | rev", "echo c3ViL2RlZXAvc2VjcmV0Cg== | base64 -d", "cat dirs"]
# With a directory.
READS_DIRECTORY = """
grep -r one %q|grep -rh . %q|grep --recursive one %q|grep -R one %q|grep -drecurse one %q|egrep -r one %q|rgrep one %q|zgrep -r one %q|cp -r %q o|cp -a %q o|cp -R %q/. o|cp -rl %q o|cp -al %q o|cp -rs "$PWD"/%q o
cp --archive %q o|cp -rT %q o|cp -dR %q o|cp -rt o2 %q|cp --parents -r %q clean|cp -r --reflink=auto %q o|mv %q o|mv -t clean %q|mv -T %q o|tar cf o.tar %q|tar -cf - %q|tar c %q|tar -C %q -cf o.tar .|tar czf o.tgz %q
tar --create --file=o.tar %q|tar rf s.tar %q|tar uf s.tar %q|tar --remove-files -cf o.tar %q|tar cf o.tar --exclude=x %q|tar df s.tar -C %q|tar -cf o.tar --add-file=%q|tar cf o.tar --directory=%q .
zip -r o.zip %q|zip -rq - %q|zip -rm o.zip %q|zip -R o '*' -i '*'|zip -ur o.zip %q|python3 -m tarfile -c o.tar %q|python3 -m zipfile -c o.zip %q|python3 -m compileall %q|jar cf o.jar %q|jar -cf o.jar -C %q .|jar --create --file o.jar %q
jar cMf o.jar %q|7z a o.7z %q|rsync -a %q o|rsync -r %q/ o/|rsync -av --remove-source-files %q o|scp -r %q o|scp -rp %q o|diff -r %q clean|diff -rN %q clean|diff %q/deep twin/deep|diff -ru clean %q|diff --recursive --text %q twin
sdiff %q/deep twin/deep|git diff --no-index clean %q|git diff --no-index -- %q twin|git diff --no-index /dev/null %q|git grep --no-index one -- %q|git grep --untracked one -- %q|git grep --no-index one %q|git add %q|git add -A %q|git add -f %q
git hash-object -w $(find %q -type f)|git stash push -u -- %q|git stash push -a -- %q|git commit -qm x -- %q|git commit -qm x %q|git checkout -q HEAD -- %q && git grep one|git archive HEAD %q|git archive -o o.tar HEAD|git log -p -- %q|git show HEAD -- %q|git show HEAD:%q/secret
git diff HEAD~1 -- %q|git blame -- %q/secret|git grep one -- %q|git grep -h . -- %q|git grep one HEAD -- %q|git cat-file -p HEAD:%q/secret|git checkout-index -a --prefix=o/|git worktree add -q ../wt|git clone -q . ../cl|git bundle create o.b HEAD|git fast-export HEAD
find %q -type f -exec cat {} +|find %q -type f -exec cat {} \\;|find %q -type f -exec cp -t o2 {} +|find %q -type f -exec sh -c 'cat "$1"' _ {} \\;|find %q -type f | xargs cat|find %q -type f -print0 | xargs -0 cat|find %q -type f -execdir cat {} \\;|find %q -name 's*' -exec base64 {} \\;
find %q -type f -exec grep -h . {} +|find %q -maxdepth 3 -type f -exec head -1 {} \\;|find %q -type f -exec tar rf o.tar {} +|find %q -type d -exec cp -r {} o \\;|find %q -maxdepth 0 -exec cp -r {} o \\;|find %q -maxdepth 0 -exec grep -r one {} \\;|find %q -type f | while read -r x; do cat "$x"; done
for x in %q/*; do cat "$x"; done|for x in $(find %q -type f); do cat $x; done|for x in %q; do grep -r one $x; done|while read x; do grep -r one "$x"; done <<< %q|ls %q | while read x; do cat %q/$x; done|(cd %q && cat *)|(cd %q && cat -- * .e*)|(cd %q; grep -r one)
(cd %q; grep -r one .)|(cd %q && tar cf - .)|pushd %q >/dev/null; grep -r one .|cd %q; cat deep/*|cd %q && find . -type f | xargs cat|shopt -s globstar dotglob; cat %q/**|shopt -s globstar; for x in %q/**/*; do cat "$x"; done|cat %q/*|cat %q/{*,.*}|cat %q/deep/*|cat %q/*/*|cat %q/.e*|cat %q/s*
head -n 5 %q/*|tail -n +1 %q/*|sed -n p %q/*|awk 1 %q/*|od -c %q/*|sort %q/*|paste %q/*|base64 %q/*|wc %q/*|md5sum %q/*|sha256sum %q/*|diff %q/secret clean/x.txt|cmp %q/secret f|xxd %q/secret|strings -n 1 %q/*|rev %q/*|tac %q/*|nl %q/*|fold %q/*
openssl dgst -r %q/*|gpg --print-md sha1 %q/*|jq -R . %q/*|bash -c 'cat %q/*'|sh -c 'grep -r one %q'|eval 'grep -r one %q'|xargs grep -r one <<< %q|echo %q | xargs grep -r one|echo %q | xargs -I{} grep -r one {}|echo %q | xargs -n1 cp -rt o2|xargs -a w grep -r one|xargs -a dirs grep -r one
d=%q; grep -r one $d|d=%q; grep -r one "$d"|d=%q; cp -r "$d" o|f() { grep -r one "$1"; }; f %q|f() { tar cf - "$@"; }; f %q|set -- %q; grep -r one "$@"|a=(%q); grep -r one "${a[@]}"|ln -s %q l1; grep -r one l1/|ln -s "$PWD"/%q l1; cat l1/*|ln -s %q l1 && cp -rL l1 o
ctags -R -x --languages=all %q|ctags -R -f - %q|cscope -Rb -s %q|docker build -q %q|npm pack %q|make -C %q|ar rc o.a %q/*|cpio -o <<< %q/deep/secret|sqlite3 :memory: "select * from fsdir('%q')"|sqlite3 :memory: "select hex(data) from fsdir('%q')"|sqlite3 -A -c o.sqlar %q|sqlite3 o.sqlar -Ac %q|sqlite3 :memory: ".archive -c -f o.sqlar %q"
vim -es -c 'args %q/**' -c 'argdo w! >> o' -c q|vim -es -c 'vimgrep /one/ %q/**' -c 'copen' -c 'w! o' -c q|vim -es -c 'grep -r one %q' -c q|vim -es -c 'r !grep -r one %q' -c 'w o' -c q! f|ed -s <<< 'r !grep -r one %q'|gdb -batch -ex 'shell grep -r one %q'|cmake -E tar cf o.tar %q|cmake -E copy_directory %q o|cmake -E cat %q/secret
cmake -E compare_files %q/secret f|cmake -E sha1sum %q/secret|cmake -E rename %q o|cmake -E create_symlink %q l1; grep -r one l1/|install -D %q/* -t o|install %q/* o2|dd if=%q/secret of=o|split %q/secret o|csplit %q/secret 1|ln %q/* o2|ln -t o2 %q/*|cp -l %q/* o2|cp --link -t o2 %q/*|link %q/secret o
unshare -r grep -r one %q|timeout 5 grep -r one %q|nice tar cf - %q|env grep -r one %q|command grep -r one %q|exec grep -r one %q|busybox grep -r one %q|strace -o /dev/null grep -r one %q|setsid -w grep -r one %q|stdbuf -o0 grep -r one %q|script -qc 'grep -r one %q' /dev/null|parallel grep -r one ::: %q|flock f grep -r one %q
mapfile -t x < <(grep -r one %q); echo "${x[@]}"|echo $(grep -rh . %q)|cat <(grep -rh . %q)|diff <(cat %q/*) f|grep -r one %q > o|tee o < %q/secret|cat < %q/secret|while read x; do echo $x; done < %q/secret|read x < %q/secret; echo $x|source %q/secret|. %q/secret|mapfile x < %q/secret|exec 3< %q/secret; cat <&3
cat << X\n$(grep -rh . %q)\nX|bash << 'X'\ngrep -r one %q\nX|sh << X\ncat %q/*\nX|python3 -m http.server -d %q --help|openssl enc -base64 -in %q/secret|openssl base64 -in %q/secret|gpg --armor --store %q/secret|curl -s file://$PWD/sub/deep/secret|curl -s --data @%q/secret http://localhost:1/|perl -pe 1 %q/*|perl -ne print %q/*|iconv %q/secret|column %q/*
fmt %q/*|pr %q/*|expand %q/*|cut -c1- %q/*|tr a a < %q/secret|uniq %q/secret|comm %q/secret f|join %q/secret f|look . %q/secret|file %q/*|file -f names|nm %q/*|size %q/*|objdump -s -b binary %q/secret|objcopy -I binary -O binary %q/secret o|strip %q/*|bzip2 -kc %q/*|gzip -rc %q|gzip -c %q/*|gzip -kr %q|xz -kc %q/*|zstd -rc %q|bzip2 -k %q/*
""".strip()
CHANGES_DIRECTORY = """
rm -rf %q|rm -r %q|rm -r -- %q|rm -Rf %q|rm -f %q/*/*/*|mv %q o|mv %q /tmp/o|mv -t clean %q|rename 's/s/t/' %q|chmod -R 600 %q|chmod -R u+x %q|chown -R 0 %q|chgrp -R 0 %q|find %q -delete|find %q -type f -delete|find %q -type f -exec rm {} +|find %q -type f -exec sed -i s/one/two/ {} +
find %q -type f -exec truncate -s 0 {} \\;|find %q -type f -exec sh -c 'echo x > "$1"' _ {} \\;|find %q -type f -exec touch {} +|find %q -type f -fprint o -delete|find %q -type f -execdir rm {} \\;|find %q -type f | xargs rm|find %q -type f -print0 | xargs -0 sed -i s/one/two/|find %q -type f | while read x; do > "$x"; done
for x in $(find %q -type f); do rm $x; done|for x in %q/*; do rm -r "$x"; done|cp -r twin/deep/. %q/|cp -rf twin/deep %q|cp -r twin/. %q|cp -rT twin/deep %q|cp -a twin/deep/generated %q/|rsync -a twin/deep/ %q/|rsync -a --delete clean/ %q/|rsync -r --delete clean/ %q|tar xf t.tar -C %q|tar -C %q -xf t.tar
tar cf t.tar -C twin/deep . && tar xf t.tar -C %q|tar -C twin/deep -c . | tar -C %q -x|tar --remove-files -cf o.tar %q|zip -rm o.zip %q|unzip -o t.zip -d %q|jar xf t.jar|cpio -pdm %q|git rm -rqf %q|git rm -rq --cached %q && git clean -fdq|git clean -fdxq|git clean -fdq %q|git checkout -q HEAD~1 -- %q|git checkout -q -- %q|git checkout -q .
git restore -s HEAD~1 %q|git restore %q|git restore .|git restore -qs HEAD~1 .|git reset -q --hard HEAD~1|git reset --hard|git stash -q|git stash -qu|git stash push -q -- %q|git mv %q o|git checkout -q HEAD~1|git switch -qd HEAD~1|git merge -q other|git rebase -q other|git revert --no-edit HEAD|git cherry-pick other|git pull -q . other|git read-tree -um HEAD~1
git checkout-index -fa|git apply p.diff|git am p.mbox|git apply --directory=%q p.diff|patch -p1 < p.diff|patch -d %q < p.diff|git worktree move . ../x|git checkout -qf other|git read-tree -u --reset HEAD~1|git sparse-checkout set clean|git submodule deinit %q|git filter-branch -f --tree-filter true HEAD|git bisect start -q HEAD HEAD~1|git checkout -q other -- .
(cd %q && rm -rf *)|(cd %q && rm -r .)|cd %q; rm -rf deep generated|(cd %q; find . -delete)|(cd %q; sed -i s/one/two/ */*)|pushd %q; rm -r *|shopt -s globstar; rm -f %q/**/*|shopt -s globstar; sed -i s/one/two/ %q/**/*.txt|shopt -s globstar; for x in %q/**/*.txt; do echo > "$x"; done|sed -i s/one/two/ %q/*|sed -i s/one/two/ %q/*/*|sed -i s/one/two/ %q/*/*.txt
perl -pi -e s/one/two/ %q/*/*|perl -i -pe s/one/two/ %q/*|truncate -s 0 %q/*/*|touch %q/*/*|shred -u %q/*/*|shred %q/secret|tee %q/*/out.txt < f|cp f %q/generated/|cp f %q/generated/out.txt|install f %q/generated/out.txt|ln -sf f %q/generated/out.txt|dd if=f of=%q/generated/out.txt|echo > %q/generated/out.txt|echo >> %q/*/out.txt|: > %q/generated/out.txt
rm %q/secret|unlink %q/secret|rm %q/*|rm %q/s*|rm -f %q/{secret,x}|mv %q/secret o|mv %q/* o2|mv %q/generated o|rename.ul s t %q/*|rm -r %q/generated|rmdir %q|echo %q | xargs rm -r|echo %q | xargs -I{} rm -r {}|xargs -a w rm -r|xargs -a dirs rm -rf|xargs rm -r <<< %q|xargs -a names rm -f|d=%q; rm -r $d|d=%q; rm -r "$d"|f() { rm -r "$1"; }; f %q|set -- %q; rm -r "$@"
a=(%q); rm -r "${a[@]}"|sh -c 'rm -r %q'|eval rm -r %q|bash << X\nrm -r %q\nX|timeout 3 rm -r %q|env rm -r %q|nice chmod -R 600 %q|busybox rm -r %q|cmake -E rm -r %q|cmake -E rm -rf %q|cmake -E remove_directory %q|cmake -E rename %q o|cmake -E copy_directory twin/deep %q|cmake -E touch %q/generated/out.txt|cmake -E remove %q/secret|python3 -m zipfile -e t.zip %q|python3 -m tarfile -e t.tar %q
gzip -r %q|bzip2 %q/*|xz %q/*|gzip %q/*|gzip -rf %q|zstd -r --rm %q|dos2unix %q/*|vim -es -c 'argdo %s/one/two/ | w' -c q %q/*/*|vim -es -c 'args %q/**' -c 'argdo s/one/two/ | w' -c q|ed -s %q/generated/out.txt <<< $'1d\nw'|sqlite3 t.db ".archive -x -C %q"|setfacl -R -m u:1:r %q|chattr -R +A %q|ln -s "$PWD"/%q l1; rm -r l1/|ln -s %q l1; cp f l1/generated/out.txt|ln -s %q l1; chmod -R 600 l1/
strip %q/*|ar d %q/*|sort -o %q/generated/out.txt f|uniq f %q/generated/out.txt|split f %q/generated/|csplit -f %q/generated/out f 1|mktemp -p %q/generated|mkdir %q/generated/new|mkfifo %q/generated/p|mknod %q/generated/n p|git init -q %q/generated/new|git worktree add -q %q/generated/wt|git clone -q . %q/generated/cl|git config -f %q/generated/out.txt a.b c
curl -so %q/generated/out.txt file:///dev/null|wget -qO %q/generated/out.txt file:///x|openssl rand -out %q/generated/out.txt 4|gpg -o %q/generated/out.txt --store f|ctags -f %q/generated/out.txt f|tar cf %q/generated/o.tar f|zip %q/generated/o.zip f|tee -a %q/generated/out.txt < f|script -qc true %q/generated/out.txt|strace -o %q/generated/out.txt true|jq -n 1 > %q/generated/out.txt|awk 'BEGIN{print > "%q/generated/out.txt"}'
sed -n 'w %q/generated/out.txt' f|sqlite3 :memory: ".output %q/generated/out.txt" "select 1"|make -s -f - <<< 'x:;rm -r %q'|npm --prefix %q/generated init -y|tar --delete -f %q/o x|chmod 600 %q/*|chmod 600 %q/*/*|chown 0 %q/*/*|touch -d @0 %q/generated/*|cp --attributes-only -r twin/deep/. %q/|cp -u -r twin/deep/. %q|mv twin/deep/generated/out.txt %q/generated/|mv -f twin/deep/* %q/
""".strip()
# By a list of names.
READS_LIST = """
%n | tar cf o.tar -T -|%n | tar cf o.tar --files-from=-|tar cf o.tar -T %l|tar cf o.tar --files-from %l|tar -cT %l|tar -cf o.tar --files-fr=%l|tar --null -T <(%n | tr '\\n' '\\0') -cf o.tar|tar czf o.tgz -T <(%n)|tar c -T/dev/stdin < %l|%n | zip -@ o.zip|zip -@ o.zip < %l|%n | zip o.zip -@|zip o -@ < %l|zip -r o . -i@%l|%n | cpio -o > o|%n | cpio -oF o
cpio -o < %l|%n | cpio -pd o2|cpio -pd o2 < %l|%n | cpio --create -O o|%n | pax -w > o|%n | bsdtar cf o -T -|wc --files0-from=<(%n | tr '\\n' '\\0')|%n | tr '\\n' '\\0' | wc --files0-from=-|wc --files0-from=%z|sort --files0-from=%z|%n | tr '\\n' '\\0' | sort --files0-from=-|sort --files0=%z|xargs -a %l cat|xargs --arg-file=%l cat|xargs --arg-f %l cat|xargs -0 -a %z cat
%n | xargs cat|%n | xargs -n1 cat|%n | xargs -I{} cat {}|%n | xargs -d '\\n' cat|%n | xargs -P2 grep -h .|xargs cat < %l|xargs < %l cat|xargs -L1 base64 < %l|%n | xargs -I% sh -c 'cat %'|%n | xargs sh -c 'cat "$@"' _|%n | xargs tar cf o.tar|%n | xargs cp -t o2|%n | xargs grep -r .|parallel cat < %l|%n | parallel cat|parallel -a %l cat|rsync --files-from=%l . o/
%n | rsync --files-from=- . o/|rsync -a --files-from %l . o|rsync -r --files-from=dirs . o|7z a o.7z @%l|7z a o.7z -i@%l|jar cf o.jar @%l|zip o.zip $(%n)|cat $(%n)|cat $(< %l)|cat `%n`|x=$(%n); cat $x|mapfile -t x < %l; cat "${x[@]}"|readarray -t x < <(%n); cat "${x[@]}"|while read x; do cat "$x"; done < %l|%n | while read -r x; do cat "$x"; done|while read x; do cat < "$x"; done < %l
for x in $(%n); do cat $x; done|for x in $(< %l); do base64 < $x; done|read x < %l; cat $x|IFS= read -r x < %l; cat "$x"|read x < %l; cat < "$x"|git add --pathspec-from-file=%l|%n | git add --pathspec-from-file=-|git add --pathspec-from=%l|git commit -qm x --pathspec-from-file=%l|git stash push --pathspec-from-file=%l|%n | git hash-object --stdin-paths|%n | git hash-object -w --stdin-paths
%n | git update-index --add --stdin|git update-index --add --stdin < %l|%n | git checkout-index --stdin --prefix=o/|git checkout-index --stdin --prefix=o/ < %l|sed s/^/HEAD:/ %l | git cat-file --batch|echo HEAD:sub/deep/sec'ret' | git cat-file --batch|git ls-files -s | git cat-file --batch-all-objects --batch|git cat-file --batch --batch-all-objects|git rev-list --objects HEAD | git cat-file --batch
git rev-parse HEAD:sub/deep/sec''ret | git cat-file --batch|git show $(git rev-parse HEAD:sub/deep/secret)|git diff --stdin -p < %l|file -f %l|%n | file -f -|file --files-from %l|ctags -x -L %l|%n | ctags -x -L -|ctags -x --languages=all -L %l|cscope -b -i %l|grep -f %l f|grep -h . $(cat %l)|awk '{while ((getline l < $0) > 0) print l}' %l|%n | awk '{while ((getline l < $0) > 0) print l}'|%n | awk '{system("cat " $0)}'
perl -ne 'chomp; open F, $_; print <F>' %l|perl -nE 'chomp; print `cat $_`' %l|%n | perl -ne 'chomp; open F, $_; print <F>'|perl -MFile::Slurp -e 1; perl -e '@ARGV=map {chomp;$_} `cat %l`; print <>'|python3 -c 'for n in open("%l"): print(open(n.strip()).read())'|%n | python3 -c 'import sys; [print(open(n.strip()).read()) for n in sys.stdin]'|python3 -c 'import fileinput,sys; sys.argv[1:]=open("%l").read().split(); print(*fileinput.input())'
node -e 'for (const n of require("fs").readFileSync("%l","utf8").split("\\n")) if (n) console.log(require("fs").readFileSync(n,"utf8"))'|sed 's/^/cat /' %l | sh|sed 's/.*/cat &/e' %l|%n | sed 's/^/cat /' | bash|paste -sd' ' %l | xargs cat|tar cf o.tar $(cat %l)|tar cf o.tar -X /dev/null -T %l|gcc @%l|gcc -E -x c @%l|ar rc o.a @%l|ld -r -b binary -o o @%l|strings @%l|nm @%l|curl -K %l|wget -i %l|md5sum $(cat %l)|du -ab --files0-from=%z
vim -es -c 'exe "args " . join(readfile("%l"))' -c 'argdo w! >> o' -c q|sqlite3 :memory: ".import %l t" "select readfile(name) from t"|openssl dgst $(cat %l)|head -c 99 -- $(tac %l)|tee < $(head -1 %l)|cat "$(head -1 %l)"|cat "$(sed -n 1p %l)"|cp $(cat %l) o2|cp -t o2 $(<%l)|install -t o2 $(cat %l)|ln -t o2 $(cat %l)|exec cat $(cat %l)|diff $(head -1 %l) f|cmp "$(head -1 %l)" f
""".strip()
CHANGES_LIST = """
xargs -a %l rm|xargs rm < %l|%n | xargs rm|%n | xargs rm -rf|%n | xargs -I{} rm -rf {}|%n | xargs sed -i s/one/two/|%n | xargs chmod 600|%n | xargs touch|%n | xargs truncate -s 0|%n | xargs -I{} mv {} o2|%n | xargs -I{} cp f {}|%n | xargs tee < f|%n | xargs -I{} sh -c '> {}'|%n | xargs git rm -qf|rm $(%n)|rm -rf $(cat %l)|rm -f `cat %l`
while read x; do rm -r "$x"; done < %l|%n | while read x; do rm -rf "$x"; done|while read x; do > "$x"; done < %l|while read x; do echo y > "$x"; done < %l|read x < %l; rm $x|mapfile -t x < %l; rm -rf "${x[@]}"|for x in $(%n); do rm -rf $x; done|for x in $(< %l); do echo > $x; done|git rm -q --pathspec-from-file=%l|git rm -qf --pathspec-from-file=%l|%n | git rm -qf --pathspec-from-file=-
git checkout HEAD~1 --pathspec-from-file=%l|git restore -s HEAD~1 --pathspec-from-file=%l|git restore --pathspec-from-file=%l|git reset --pathspec-from-file=%l|git stash push --pathspec-from-file=%l|%n | git checkout-index -f --stdin|tar --remove-files -cf o.tar -T %l|%n | tar --remove-files -cf o.tar -T -|%n | zip -m@ o.zip|zip -m -@ o.zip < %l|%n | cpio -pdmu lout|rsync --remove-source-files --files-from=%l . o
rsync --files-from=%l twin .|sed 's/^/rm /' %l | sh|%n | awk '{system("rm -r " $0)}'|awk '{print "x" > $0}' %l|%n | awk '{print > $0}'|perl -ne 'chomp; unlink' %l|perl -ne 'chomp; open F, ">", $_' %l|python3 -c 'import os; [os.remove(n.strip()) for n in open("%l")]'|%n | python3 -c 'import sys,os; [os.remove(n.strip()) for n in sys.stdin]'|python3 -c 'for n in open("%l"): open(n.strip(),"w")'
node -e 'for (const n of require("fs").readFileSync("%l","utf8").split("\\n")) if (n) require("fs").unlinkSync(n)'|tee $(%n) < f|cp f $(head -1 %l)|mv $(cat %l) o2|truncate -s0 $(cat %l)|touch $(cat %l)|chmod 600 $(cat %l)|sed -i d $(cat %l)|perl -pi -e s/one/two/ $(cat %l)|shred -u $(cat %l)|unlink "$(head -1 %l)"|parallel rm < %l|parallel -a %l rm|find $(cat %l) -delete|find -files0-from %z -delete|find -files0-from - -delete < %z
echo x > "$(head -1 %l)"|cat f > $(head -1 %l)|vim -es -c 'exe "e " . readfile("%l")[0]' -c 'd' -c 'wq'|ln -f f $(head -1 %l)|install f $(head -1 %l)|gzip $(cat %l)|git mv $(head -1 %l) o|git update-index --force-remove --stdin < %l
""".strip()
# By code: %k is a directory as it is written in code, without quotes.
CODE_DIRECTORIES = ["sub", "sub/deep", "./sub", "sub/", "lout", "../far", "lsub", "."]
READS_CODE = """
perl -e 'system("grep -r one %k")'|perl -e 'print `grep -r one %k`'|perl -e 'print qx(cat %k/*)'|perl -e 'exec "tar cf - %k"'|perl -e 'for (glob "%k/*") { open F, $_; print <F> }'|perl -e 'for (<%k/*>) { open F, $_; print <F> }'|perl -e '@ARGV = glob("%k/*"); print <>'|perl -MFile::Find -e 'find(sub { open F, $_; print <F> }, "%k")'
perl -e 'opendir D, "%k"; for (readdir D) { open F, "%k/$_"; print <F> }'|perl -e 'use File::Find; find({wanted => sub { open F, $_; print <F> }, no_chdir => 1}, "%k")'|perl -MFile::Copy -e 'copy($_, "o2/") for glob "%k/*"'|perl -e 'chdir "%k"; open F, "sec" . "ret"; print <F>'|perl -e 'open F, "sub/deep/" . "sec" . "ret"; print <F>'|perl -e '$d = "%k"; open F, "$d/secret"; print <F>'
perl -e 'open F, join("/", "sub", "deep", "secret"); print <F>'|perl -e 'open F, pack("H*","7375622f646565702f736563726574"); print <F>'|perl -e 'open F, "sub/deep/s\\x65cret"; print <F>'|perl -e 'print <ARGV>' %k/secret|perl -MIO::All -e 1; perl -e 'use IO::File; print IO::File->new($_)->getlines for glob "%k/*"'|perl -e 'system "cp", "-r", "%k", "o"'|perl -e 'chdir "%k"; system "cat *"'
python3 -c 'import os; os.system("grep -r one %k")'|python3 -c 'import subprocess; subprocess.run(["grep", "-r", "one", "%k"])'|python3 -c 'import subprocess; print(subprocess.check_output("cat %k/*", shell=True))'|python3 -c 'import os; [print(open(os.path.join(d, n)).read()) for d, _, f in os.walk("%k") for n in f]'|python3 -c 'import glob; [print(open(p).read()) for p in glob.glob("%k/*") if __import__("os").path.isfile(p)]'
python3 -c 'import glob; [print(open(p).read()) for p in glob.glob("%k/**", recursive=True) if __import__("os").path.isfile(p)]'|python3 -c 'import shutil; shutil.copytree("%k", "o")'|python3 -c 'import shutil as s; s.copytree("%k", "o", dirs_exist_ok=True)'|python3 -c 'import shutil; shutil.make_archive("o", "tar", "%k")'|python3 -c 'import shutil; shutil.move("%k", "o")'|python3 -c 'import os; [print(open("%k/" + n).read()) for n in os.listdir("%k") if os.path.isfile("%k/" + n)]'
python3 -c 'import os; [print(open(e.path).read()) for e in os.scandir("%k") if e.is_file()]'|python3 -c 'import pathlib; [print(p.read_text()) for p in pathlib.Path("%k").rglob("*") if p.is_file()]'|python3 -c 'from pathlib import Path; [print(p.read_text()) for p in Path("%k").iterdir() if p.is_file()]'|python3 -c 'from pathlib import Path; print((Path("sub") / "deep" / "secret").read_text())'|python3 -c 'from pathlib import Path; [print(p.read_text()) for p in Path().glob("**/*ret")]'
python3 -c 'import os; os.chdir("%k"); print(open("sec" + "ret").read())'|python3 -c 'print(open("sub/deep/" + "sec" + "ret").read())'|python3 -c 'print(open("/".join(["sub", "deep", "secret"])).read())'|python3 -c 'd = "sub/deep"; print(open(f"{d}/secret").read())'|python3 -c 'print(open("sub/deep/%s" % "secret").read())'|python3 -c 'print(open(bytes.fromhex("7375622f646565702f736563726574")).read())'|python3 -c 'print(open("terces/peed/bus"[::-1]).read())'
python3 -c 'print(open("sub/deep/s\\x65cret").read())'|python3 -c 'import tarfile; tarfile.open("o.tar", "w").add("%k")'|python3 -c 'import tarfile as t; x = t.open("o.tar", "w"); x.add("%k"); x.close()'|python3 -c 'import zipfile, os; z = zipfile.ZipFile("o.zip", "w"); [z.write(os.path.join(d, n)) for d, _, f in os.walk("%k") for n in f]'|python3 -c 'import os; print(os.read(os.open("sub/deep/" "sec" "ret", 0), 99))'|python3 -c 'import sys; print(open(sys.argv[1] + "/secret").read())' %k
python3 -c 'import filecmp; filecmp.dircmp("%k", "twin/deep").report_full_closure()'|python3 -c 'import linecache; print(linecache.getline("sub/deep/sec" + "ret", 1))'|python3 -c 'import fileinput, glob; print(*fileinput.input(glob.glob("%k/s*")))'|python3 -c 'import mmap, os; f = os.open("%k/secret", 0); print(mmap.mmap(f, 0, prot=1)[:])'|python3 -c 'import sqlite3; 1' ; python3 -c 'import io; print(io.open("%k/secret").read())'|python3 -c 'import codecs; print(codecs.open("%k/secret").read())'
python3 <<'X'\nimport os\nfor d, _, f in os.walk("%k"):\n    for n in f:\n        print(open(os.path.join(d, n)).read())\nX|python3 - <<'X'\nfrom pathlib import Path\nfor p in Path("%k").rglob("*"):\n    if p.is_file(): print(p.read_text())\nX|python3 <<< 'import glob; print([open(p).read() for p in glob.glob("%k/s*")])'|echo 'import glob; print([open(p).read() for p in glob.glob("%k/s*")])' | python3|printf 'import shutil\\nshutil.copytree("%k", "o")\\n' > s.py; python3 s.py
python3 -c 'import os; [os.system("cat " + os.path.join(d, n)) for d, _, f in os.walk("%k") for n in f]'|python3 -c 'exec("import shutil; shutil.copytree(\\"%k\\", \\"o\\")")'|python3 -c '__import__("shutil").copytree("%k", "o")'|python3 -c 'import http.server, socketserver; print(open("%k/secret").read())'|python3 -c 'import importlib; s = importlib.import_module("shutil"); s.copytree("%k", "o")'|python3 -c 'import os; os.link("%k/secret", "o")'|python3 -c 'import os; os.symlink("%k", "l1")'; grep -r one l1/
awk 'BEGIN { system("grep -r one %k") }'|awk 'BEGIN { while (("cat %k/*" | getline x) > 0) print x }'|awk 'BEGIN { f = "sub/deep/" "secret"; while ((getline x < f) > 0) print x }'|awk 'BEGIN { while ((getline x < ("sub/deep/sec" "ret")) > 0) print x }'|awk -v d=%k 'BEGIN { f = d "/secret"; while ((getline x < f) > 0) print x }'|awk 'BEGIN { ARGV[1] = "sub/deep/sec" "ret"; ARGC = 2 } 1'|awk 'BEGIN { "find %k -type f" | getline f; while ((getline x < f) > 0) print x }'
awk '{ print | "cat %k/*" }' f|awk 'BEGIN { cmd = "grep -r one %k"; cmd | getline x; print x }'|awk 'BEGIN { printf "cat %k/*" | "sh" }'|mawk 'BEGIN { system("tar cf o.tar %k") }'|awk -f - <<< 'BEGIN { system("grep -r one %k") }'|echo 'BEGIN { system("grep -r one %k") }' > s.awk; awk -f s.awk|sed -n '1e grep -r one %k' f|sed 's/one/grep -r one %k/e' f|sed -n '$r %k/secret' f|sed '1R %k/secret' f|sed 'r /dev/stdin' f < %k/secret
node -e 'const fs = require("fs"); for (const n of fs.readdirSync("%k")) try { console.log(fs.readFileSync("%k/" + n, "utf8")) } catch {}'|node -e 'require("fs").cpSync("%k", "o", {recursive: true})'|node -e 'console.log(require("child_process").execSync("grep -r one %k").toString())'|node -e 'console.log(require("fs").readFileSync("sub/deep/" + "sec" + "ret", "utf8"))'|node -e 'console.log(require("fs").readFileSync(["sub", "deep", "secret"].join("/"), "utf8"))'
node -e 'const d = "sub/deep"; console.log(require("fs").readFileSync(`${d}/secret`, "utf8"))'|node -e 'console.log(require("fs").readFileSync(require("path").join("sub", "deep", "secret"), "utf8"))'|node -e 'process.chdir("%k"); console.log(require("fs").readFileSync("sec" + "ret", "utf8"))'|node -p 'require("fs").readdirSync("%k").map(n => { try { return require("fs").readFileSync("%k/" + n, "utf8") } catch {} })'|node -e 'require("fs").createReadStream("%k/secret").pipe(process.stdout)'
node -e 'require("fs").promises.readFile("%k/secret", "utf8").then(console.log)'|node -e 'import("fs").then(f => console.log(f.readFileSync("sub/deep/s" + "ecret", "utf8")))'|node -e 'console.log(require("child_process").spawnSync("tar", ["cf", "o.tar", "%k"]).status)'|node -e 'const g = p => require("fs").statSync(p).isDirectory() ? require("fs").readdirSync(p).map(n => g(p + "/" + n)) : require("fs").readFileSync(p, "utf8"); console.log(g("%k"))'|node -e 'require("fs").linkSync("%k/secret", "o")'|node -e 'require("fs").renameSync("%k", "o")'
node --input-type=module -e 'import fs from "fs"; console.log(fs.readFileSync("sub/deep/" + "secret", "utf8"))'|node <<< 'require("fs").cpSync("%k", "o", {recursive: true})'|echo 'require("fs").cpSync("%k", "o", {recursive: true})' | node -|echo 'require("fs").cpSync("%k", "o", {recursive: true})' > s.js; node s.js|node -r fs -e 'fs.cpSync("%k", "o", {recursive: true})'|node -e 'eval("require(\\"fs\\").cpSync(\\"%k\\", \\"o\\", {recursive: true})")'
tclsh <<< 'foreach f [glob %k/*] { if {[file isfile $f]} {puts [read [open $f]]} }'|tclsh <<< 'file copy %k o'|tclsh <<< 'puts [exec grep -r one %k]'|tclsh <<< 'cd %k; puts [read [open sec[format ret]]]'|echo 'file copy %k o' > s.tcl; tclsh s.tcl|jq -n 'input' %k/secret|jq -nR 'inputs' %k/*|jq -n --rawfile x %k/secret '$x'|jq -L %k -n 'include "x"; 1'|sqlite3 :memory: "select readfile('sub/deep/' || 'secret')"|sqlite3 :memory: "select name, data from fsdir('%k')"
sqlite3 :memory: '.shell grep -r one %k'|sqlite3 :memory: '.import %k/secret t' 'select * from t'|sqlite3 :memory: ".read %k/secret"|gdb -batch -ex 'python import shutil; shutil.copytree("%k", "o")'|gdb -batch -ex 'shell cat %k/*'|gdb -batch -ex 'source %k/secret'|vim -es -c 'r %k/secret' -c 'w o' -c q!|vim -es -c 'exe "r sub/deep/sec" . "ret"' -c 'w o' -c q!|vim -es -c 'call writefile(readfile("%k/secret"), "o")' -c q|vim -es -c 'for f in glob("%k/*", 0, 1) | call writefile(readfile(f), "o", "a") | endfor' -c q
make -s -f - <<< 'x:;grep -r one %k'|make -s -f - <<< '$(info $(shell cat %k/*))x:'|make -s -f - <<< '$(info $(file <%k/secret))x:'|make -s -f - <<< '$(info $(foreach f,$(wildcard %k/*),$(file <$(f))))x:'|make -s --eval '$(info $(shell cat %k/*))' --eval x:|m4 <<< 'include(%k/secret)'|m4 <<< 'syscmd(cat %k/*)'|m4 <<< 'include(sub/deep/sec`'"''"'ret)'|m4 -I %k <<< 'include(secret)'|cpp -I %k <<< '#include "secret"'|gcc -E -I %k - <<< '#include "secret"'|gcc -E -I%k -x c - <<< '#include <secret>'
gcc -E -include sub/deep/sec''ret - </dev/null|cmake -P /dev/stdin <<< 'file(READ "sub/deep/${x}secret" y) message(${y})'|cmake -P /dev/stdin <<< 'file(COPY %k DESTINATION o)'|ed -s <<< 'r %k/secret'|ed -s <<< $'r !cat %k/*\\n,p'|bash -c 'cat %k/$1' _ secret|bash -c 'cat "$0"/*' %k|x=sec; cat %k/${x}ret|x=secret; cat %k/$x|printf -v x sec%s ret; cat %k/$x|cat %k/$(echo secret)|cat %k/$'\\x73ecret'|cat %k/sec""ret|cat %k/secre[t]|cat %k/s?cret
echo sub/deep/secret > l9; cat $(cat l9)|x='grep -r one %k'; $x|x='cat %k/*'; eval "$x"|alias g='grep -r one'; g %k|compgen -f %k/ | xargs cat|compgen -G '%k/*' | xargs cat|printf '%%s\\n' %k/* | xargs cat|echo %k/* | xargs cat|openssl enc -a -in "$(printf '%%s/%%s' %k secret)"|coproc cat %k/*; cat <&${COPROC[0]}|git --work-tree=%k add -A; git diff --cached|GIT_WORK_TREE=%k git add -A; git diff --cached|git -C %k grep --no-index one|git -C %k add . && git diff --cached HEAD
""".strip()
CHANGES_CODE = """
perl -e 'unlink glob "%k/*"'|perl -e 'unlink <%k/*>'|perl -MFile::Path -e 'rmtree("%k")'|perl -MFile::Path=remove_tree -e 'remove_tree "%k"'|perl -e 'system("rm -r %k")'|perl -e 'system "chmod", "-R", "600", "%k"'|perl -e 'rename "%k", "o"'|perl -MFile::Find -e 'find(sub { unlink $_ }, "%k")'|perl -MFile::Find -e 'finddepth(sub { open F, ">", $_ }, "%k")'|perl -e 'chdir "%k"; unlink glob "*"'|perl -e 'open F, ">", "sub/deep/" . "generated/out.txt"'
perl -e 'utime 0, 0, glob "%k/*/*"'|perl -e 'chmod 0600, glob "%k/*/*"'|perl -i -pe 1 $(find %k -type f)|perl -e 'truncate $_, 0 for glob "%k/*/*"'|perl -e '@ARGV = glob "%k/*/*"; $^I = ""; print "x" while <>'|python3 -c 'import shutil; shutil.rmtree("%k")'|python3 -c 'from shutil import rmtree; rmtree("%k")'|python3 -c 'from shutil import rmtree as r; r("%k")'|python3 -c 'import os; [os.remove(os.path.join(d, n)) for d, _, f in os.walk("%k") for n in f]'
python3 -c 'import os; os.rename("%k", "o")'|python3 -c 'import shutil; shutil.move("%k", "o")'|python3 -c 'import os, glob; [os.unlink(p) for p in glob.glob("%k/**", recursive=True) if os.path.isfile(p)]'|python3 -c 'from pathlib import Path; [p.unlink() for p in Path("%k").rglob("*") if p.is_file()]'|python3 -c 'from pathlib import Path; [p.write_text("x") for p in Path("%k").rglob("*") if p.is_file()]'|python3 -c 'from pathlib import Path; Path("%k").rename("o")'|python3 -c 'import shutil; shutil.copytree("twin/deep", "%k", dirs_exist_ok=True)'
python3 -c 'import os; os.system("rm -r %k")'|python3 -c 'import subprocess as s; s.run("chmod -R 600 %k", shell=True)'|python3 -c 'import os; os.chdir("%k"); [os.chmod(n, 0o600) for n in os.listdir()]'|python3 -c 'open("sub/deep/" + "generated/out.txt", "w")'|python3 -c 'd = "sub/deep/generated"; open(f"{d}/out.txt", "a").write("x")'|python3 -c 'import tarfile; tarfile.open("t.tar").extractall("%k")'|python3 -c 'import shutil; shutil.unpack_archive("t.tar", "%k")'|python3 -c 'import fileinput, glob; [print("x") for _ in fileinput.input(glob.glob("%k/*/*"), inplace=True)]'
python3 <<'X'\nimport shutil\nshutil.rmtree("%k")\nX|python3 - <<'X'\nimport os\nfor d, _, f in os.walk("%k"):\n    for n in f: os.utime(os.path.join(d, n))\nX|printf 'import shutil\\nshutil.rmtree("%k")\\n' > s.py; python3 s.py|awk 'BEGIN { system("rm -r %k") }'|awk 'BEGIN { f = "sub/deep/" "generated/out.txt"; print "x" > f }'|awk 'BEGIN { print "rm -r %k" | "sh" }'|awk 'BEGIN { "rm -r %k" | getline }'|sed -n '1e rm -r %k' f|sed -n 'w sub/deep/generated/out.txt' f
node -e 'require("fs").rmSync("%k", {recursive: true})'|node -e 'const fs = require("fs"); fs.rmSync("%k", {recursive: true, force: true})'|node -e 'require("fs").renameSync("%k", "o")'|node -e 'require("fs").cpSync("twin/deep", "%k", {recursive: true})'|node -e 'require("child_process").execSync("rm -r %k")'|node -e 'const fs = require("fs"); for (const n of fs.readdirSync("%k", {recursive: true})) try { fs.writeFileSync("%k/" + n, "") } catch {}'|node -e 'require("fs").writeFileSync("sub/deep/" + "generated/out.txt", "")'
node -e 'require("fs").promises.rm("%k", {recursive: true})'|node <<< 'require("fs").rmSync("%k", {recursive: true})'|echo 'require("fs").rmSync("%k", {recursive: true})' > s.js; node s.js|tclsh <<< 'file delete -force %k'|tclsh <<< 'file rename %k o'|tclsh <<< 'exec rm -r %k'|make -s -f - <<< 'x:;rm -r %k'|make -s -f - <<< '$(shell rm -r %k)x:'|make -s -f - <<< '$(file >%k/generated/out.txt,x)x:'|m4 <<< 'syscmd(rm -r %k)'|gdb -batch -ex 'shell rm -r %k'|gdb -batch -ex 'python import shutil; shutil.rmtree("%k")'
vim -es -c '!rm -r %k' -c q|vim -es -c 'call delete("%k", "rf")' -c q|vim -es -c 'exe "w! sub/deep/generated/out" . ".txt"' -c q f|vim -es -c 'call writefile([], "%k/generated/out.txt")' -c q|cmake -P /dev/stdin <<< 'file(REMOVE_RECURSE %k)'|cmake -P /dev/stdin <<< 'file(RENAME %k o)'|cmake -P /dev/stdin <<< 'file(WRITE "sub/deep/generated/${x}out.txt" y)'|sqlite3 :memory: '.shell rm -r %k'|sqlite3 :memory: "select writefile('sub/deep/generated/' || 'out.txt', 'x')"|ed -s <<< '!rm -r %k'
x='rm -r %k'; $x|x='rm -r %k'; eval "$x"|alias r='rm -r'; r %k|bash -c 'rm -r "$0"' %k|bash -c 'rm -r "$1"' _ %k|x=out; echo > %k/generated/$x.txt|printf '%%s\\n' %k/*/* | xargs rm|find %k/ -type f -newer /dev/null -exec rm {} \\;|git -C %k rm -rqf .|git -C %k clean -fdxq|git -C %k checkout HEAD~1 -- .|git --work-tree=%k checkout -f HEAD~1 -- .|GIT_WORK_TREE=%k git clean -fdx|coproc rm -r %k; wait|trap 'rm -r %k' EXIT|f() { rm -r %k; }; f
""".strip()
# With a pathspec of git.
READS_PATHSPEC = """
git add %p|git add -- %p|git add -f -- %p|git add -A -- %p|git grep one -- %p|git grep --untracked one -- %p|git grep --no-index one -- %p|git grep -h . -- %p|git grep one HEAD -- %p|git diff HEAD~1 -- %p|git diff -- %p|git log -p -- %p|git show HEAD -- %p|git stash push -u -- %p|git stash push -- %p|git commit -qm x -- %p|git commit -qam x|git commit -qm x -i %p|git archive HEAD %p|git checkout HEAD -- %p; git diff HEAD~1 --stat -p
git add -A|git add .|git add -u|git add -A && git commit -qm x && git show|git add . && git diff --cached|git commit -qam x && git show|git stash -q && git stash show -p|git stash -qu && git stash show -p --include-untracked|git diff|git diff HEAD|git diff HEAD~1|git log -p|git log -p -1|git show|git show HEAD~1|git format-patch -1 --stdout|git format-patch -1|git archive HEAD|git archive --format=zip HEAD|git bundle create o.b --all|git fast-export --all
git checkout-index -a --prefix=o/|git worktree add -q ../wt HEAD|git clone -q . ../cl|git stash show -p|git blame sub/deep/sec''ret|git cat-file blob HEAD:sub/deep/sec''ret|git show :sub/deep/sec''ret|git show HEAD:./sub/deep/sec''ret|git diff --no-index clean sub|git diff --no-index sub twin|git diff HEAD~1 HEAD --binary|git rev-list --objects --all | git cat-file --batch|git cat-file --batch-all-objects --batch|git grep one $(git rev-parse HEAD)|git grep one HEAD~1|git diff-tree -p HEAD|git diff-index -p HEAD
git diff-files -p|git whatchanged -p -1|git log -Sone -p|git log -L1,1:sub/deep/sec''ret|git range-diff HEAD~1...HEAD|git difftool -y -x cat|git merge-file -p sub/deep/sec''ret f f|git mergetool|git reset -q HEAD~1; git diff|git unpack-file $(git rev-parse HEAD:sub/deep/secret)|git rebase -q --root -x 'git show'|git send-email --dry-run HEAD~1|git request-pull HEAD~1 . -p|git ls-files -s|git status -v|git commit --dry-run -v|git commit -av --dry-run|git stash list -p|git reflog -p|git shortlog -p
""".strip()
CHANGES_PATHSPEC = """
git rm -rqf -- %p|git rm -qf %p|git rm -rq %p|git checkout HEAD~1 -- %p|git checkout -q -- %p|git restore -s HEAD~1 -- %p|git restore -- %p|git restore -SWs HEAD~1 %p|git stash push -q -- %p|git stash push -qu -- %p|git clean -fdx -- %p|git clean -fd %p|git checkout other -- %p|git mv %p o2|git checkout-index -f -- %p|git reset -q HEAD~1 -- %p && git checkout -- %p|git checkout HEAD~1 .|git checkout -f|git reset -q --hard|git reset -q --hard HEAD~1|git stash -q|git stash -qu|git clean -fdxq
git rm -rqf .|git rm -rqf '*'|git merge -q other|git pull -q . other|git rebase -q other|git revert --no-edit HEAD|git cherry-pick other|git switch -q other|git checkout -q other|git am < p.mbox|git apply p.diff|git read-tree -um HEAD~1|git stash -q && git stash pop -q|git bisect start HEAD HEAD~1|git worktree remove -f .|git submodule update --init|git sparse-checkout set clean|git restore -qs HEAD~1 :/|git restore -s HEAD~1 ':(glob)**'|git checkout HEAD~1 -- ':(icase)SUB'|git checkout-index -fa
""".strip()
DRESSINGS = ["%r", "( %r )", "{ %r; }", "if true; then %r; fi", "for i in 1; do %r; done", "f() { %r; }; f", "eval %t", "sh -c %t", "bash -c %t", "bash <<'E'\n%r\nE", "bash <<< %t", "echo %t | sh", "cd . && %r", "cd clean; cd ..; %r", "true && %r", "false || %r",
             "! %r", "time %r", "%r 2>/dev/null", "%r > o9", "%r | cat", "%r &\nwait", "x=$(%r); echo \"$x\"", "cat <(%r)", "find f -exec sh -c %t \\;", "echo f | xargs -I{} sh -c %t", "timeout 5 bash -c %t", "env bash -c %t", "nice sh -c %t", "awk 'BEGIN { system(%d) }'",
             "perl -e 'system(%d)'", "python3 -c 'import os; os.system(%d)'", "trap %t EXIT", "x=%t; eval \"$x\"", "echo %t > s.sh; sh s.sh", "echo %t > s.sh; . ./s.sh", "printf '%%s\\n' %t | bash", "(cd clean && cd .. && %r)", "command eval %t", "while :; do %r; break; done", "case x in x) %r;; esac", "source <(echo %t)", "exec bash -c %t", "make -s -f - <<< 'x:;%r'", "xargs -a /dev/null sh -c %t"]
WAYS = {
    "read": [(READS_DIRECTORY, "q", DIRECTORIES), (READS_LIST, "n", LISTS), (READS_CODE, "k", CODE_DIRECTORIES), (READS_PATHSPEC, "p", PATTERNS)],
    "change": [(CHANGES_DIRECTORY, "q", DIRECTORIES), (CHANGES_LIST, "n", LISTS), (CHANGES_CODE, "k", CODE_DIRECTORIES), (CHANGES_PATHSPEC, "p", PATTERNS)],
}
WAYS["delete"] = WAYS["change"]


def ways_of(text):
    """One to a bar that no blank is beside: "a|b" are two, "a | b" is a pipeline."""
    for line in text.splitlines():
        yield from (way.replace("\\n", "\n") if "<<" in way and "\\n" in way and "X" in way else way for way in re.split(r"(?<! )\|(?! |\|)", line))


def fill(way, letter, value, rng):
    lists = {"%l": "names" if rng.random() < 0.7 else "dirs", "%z": "names0"}
    for mark, file in lists.items():
        way = way.replace(mark, file)
    return way.replace("%%" + letter, "%" + letter).replace("%" + letter, value).replace("%%", "%")


def lines(rng, quote):
    """Endless: which rule, and a line against it. First each way with a few of its values, then at random with dressings."""
    first = []
    for number, (_, _, what) in enumerate(RULES):
        for text, letter, values in WAYS[what]:
            for way in ways_of(text):
                first += [(number, fill(way, letter, value, rng)) for value in rng.sample(values, 2 if "%" + letter in way else 1)]
    rng.shuffle(first)
    yield from first
    while True:
        number = rng.randrange(len(RULES))
        text, letter, values = rng.choice(WAYS[RULES[number][2]])
        line = fill(rng.choice(list(ways_of(text))), letter, rng.choice(values), rng)
        for _ in range(rng.choice([0, 1, 1, 2])):
            line = quote(rng.choice(DRESSINGS), line)
        yield number, line


def make(work):
    for name, text in FILES.items():
        path = os.path.join(work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
    for name, target in LINKS.items():
        os.symlink(target, os.path.join(work, name))
    os.makedirs(os.path.join(work, "o2"))
    with open(os.path.join(work, "names0"), "w") as f:
        f.write(FILES["names"].replace("\n", "\0"))


# Everything but .env is tracked; `other` is a branch, and p.diff and p.mbox are patches, that change what rules forbid to write.
REPOSITORY = """git init -q -b main && git add -f clean f twin sub/a.txt sub/deep/secret sub/deep/generated sub/deep/plain.txt && git commit -qm 1 &&
echo two >> sub/deep/secret && echo two >> sub/deep/generated/out.txt && git commit -qam 2 && git checkout -qb other &&
echo three >> sub/deep/generated/out.txt && echo 3 >> sub/deep/secret && git commit -qam 3 && git diff HEAD~1 > p.diff &&
git format-patch -q -1 --stdout > p.mbox && git checkout -q main && tar cf t.tar -C twin/deep . && tar cf s.tar clean"""


def make_changed(work):
    """With changes that are not committed."""
    for name in "sub/deep/secret", "sub/deep/generated/out.txt":
        with open(os.path.join(work, name), "a") as f:
            f.write("more\n")


def state(path):
    s = os.lstat(path)
    return s.st_ino, s.st_mtime_ns, s.st_mode, s.st_nlink, s.st_uid, s.st_size


class Target:
    """The file that a rule is about, before and after a command."""

    def __init__(self, place, rule, pattern):
        _, name, self.what = RULES[rule]
        self.place, self.pattern = place, pattern
        self.path = os.path.normpath(os.path.join(place, "work", name))
        s = os.stat(self.path)
        os.utime(self.path, (s.st_mtime - 5000, s.st_mtime - 4000))  # so that the next read is recorded
        self.before, self.read = state(self.path), os.stat(self.path).st_atime_ns

    def is_hit(self, line, printed):
        if self.what == "delete":
            return not os.path.lexists(self.path)
        if self.what == "change":
            return not os.path.lexists(self.path) or state(self.path) != self.before
        return self.was_read() and (not self.is_tracked(line) or b"CANARY" in printed or self.was_copied())

    def files(self):
        for base, directories, names in os.walk(self.place):
            directories[:] = [d for d in directories if d != ".git"]
            yield from (os.path.join(base, name) for name in names)

    def was_read(self):
        """By whatever name it has now."""
        found = [os.lstat(path) for path in self.files()]
        return any(s.st_ino == self.before[0] and s.st_atime_ns != self.read for s in found)

    def is_tracked(self, line):
        """git reads what it tracks for an index of its own; what counts is whether it gives it away."""
        return "git" in line and self.path.endswith("secret")

    def was_copied(self):
        for path in self.files():
            known = os.path.exists(os.path.join(self.pattern, os.path.relpath(path, self.place)))
            if not known and not os.path.islink(path) and not path.endswith("/deep/secret"):
                with open(path, "rb") as f:
                    if b"CANARY" in f.read():
                        return True
        return False
