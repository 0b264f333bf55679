/* net.c - rows: programs that talk to other machines, and those that look at the network of
 * this one.
 *
 * Nothing that names its own destination is quiet, names included: a DNS query for
 * secret.attacker.example carries the secret. A URL on loopback may be, so hosts are listed (N,
 * @url), and everything that would make a request more than a plain GET of that URL is marked: S
 * sends data along, ! redirects, proxies or resolves elsewhere. */
#include "programs/programs.h"

static const struct program_row rows[] = {
    {"age",
     "mixed %--version -d,--decrypt -e,--encrypt -a,--armor -p,--passphrase -o,--output=W "
     "!-r,--recipient= "
     "-R,--recipients-file=R -i,--identity=R !-j=",
     "R", EFFECT_SECRETS, "age(1)"},
    {"aria2c",
     "mixed %-v,--version -d,--dir=w -o,--out=W -i,--input-file=R -l,--log=W -c,--continue "
     "-q,--quiet "
     "-s,--split= -x,--max-connection-per-server= -j,--max-concurrent-downloads=",
     "^send cwd=w N*", EFFECT_NETWORK, "aria2c(1)"},
    {"arp",
     "abbrev mixed -a,--all -e -n,--numeric -v,--verbose -H,--hw-type= -i,--device= %--help "
     "%-V,--version "
     "^system-d,--delete ^system-s,--set ^system-f,--file",
     "{0} none | {-n,--numeric} . | N .*", 0, "arp(8)", .same = "-i,--device -A,-p -n,--numeric"},
    {"curl",
     "mixed %-h,--help %-V,--version %-M,--manual "
     /* the destination, and what leads elsewhere */
     "--url=@url !-L,--location !--location-trusted --max-redirs= !-x,--proxy=N !--preproxy=N "
     "!--proxy1.0=N "
     "!--socks4=N !--socks4a=N !--socks5=N !--socks5-hostname=N !-p,--proxytunnel --noproxy= "
     "!--unix-socket=RW !--abstract-unix-socket= !--resolve= !--connect-to= !--interface= "
     "!--dns-interface= "
     "!--dns-ipv4-addr= !--dns-ipv6-addr= !--dns-servers= !--doh-url=N !--proto-default= --proto= "
     "--proto-redir= "
     "!--alt-svc=RW !--hsts=RW !--request-target= !-P,--ftp-port= "
     /* what is sent along */
     "-X,--request=@method ^send-d,--data,--data-ascii,--data-binary=@at ^send--data-raw= "
     "^send--data-urlencode=@atname "
     "^send--json=@at --url-query=@atname ^send-F,--form=@form ^send--form-string= "
     "^send-T,--upload-file=R "
     "!-Q,--quote= "
     "^send--mail-from= ^send--mail-rcpt= ^send--mail-auth= !-t,--telnet-option= -H,--header=@at "
     "--proxy-header=@at "
     "-b,--cookie=R -e,--referer= -A,--user-agent= -u,--user= --oauth2-bearer= --aws-sigv4= "
     "^secrets-n,--netrc "
     "^secrets--netrc-optional !--netrc-file=R !-E,--cert=R !--key=R --cert-type= --key-type= "
     "--pass= "
     "!--pubkey=R "
     "-r,--range= -z,--time-cond=R --etag-compare=R -G,--get -I,--head "
     /* what is written; --stderr already while the options are read, so no --help undoes it */
     "-o,--output=W -O,--remote-name --remote-name-all -J,--remote-header-name !--output-dir=w "
     "--create-dirs "
     "--create-file-mode= --no-clobber --remove-on-error -R,--remote-time --xattr "
     "-C,--continue-at= -D,--dump-header=W "
     "-c,--cookie-jar=W --etag-save=W --libcurl=W !--stderr=W --trace=W --trace-ascii=W "
     "--trace-time "
     "-w,--write-out=@writeout "
     /* what is run or read as settings */
     "!-K,--config=R !--engine=X !--egd-file= !--random-file= -q,--disable "
     /* how it is transferred and shown */
     "-s,--silent -S,--show-error -v,--verbose -i,--include -f,--fail --fail-with-body "
     "--fail-early -k,--insecure "
     "-N,--no-buffer --no-progress-meter -#,--progress-bar --styled-output --no-styled-output "
     "--compressed --raw "
     "-m,--max-time= --connect-timeout= --expect100-timeout= --happy-eyeballs-timeout-ms= "
     "--keepalive-time= "
     "--no-keepalive --no-sessionid --no-alpn --retry= --retry-delay= --retry-max-time= "
     "--retry-all-errors "
     "--retry-connrefused --rate= --limit-rate= -Y,--speed-limit= -y,--speed-time= --max-filesize= "
     "-0,--http1.0 "
     "--http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --http0.9 -4,--ipv4 -6,--ipv6 "
     "-g,--globoff "
     "--path-as-is --basic --digest --ntlm --negotiate --anyauth -1,--tlsv1 --tlsv1.0 --tlsv1.1 "
     "--tlsv1.2 --tlsv1.3 "
     "--tls-max= --ciphers= --tls13-ciphers= --curves= --cacert=R --capath=R --crlfile=R "
     "--cert-status --ssl "
     "--ssl-reqd "
     "--tcp-nodelay --tcp-fastopen --tr-encoding -j,--junk-session-cookies -Z,--parallel "
     "--parallel-max= "
     "--parallel-immediate -:,--next -l,--list-only -B,--use-ascii --local-port= "
     "--ignore-content-length "
     "--disallow-username-in-url --post301 --post302 --post303 --suppress-connect-headers",
     "{-O,--remote-name,--remote-name-all,-J,--remote-header-name} cwd=w @url* | @url*",
     EFFECT_NETWORK, "curl(1) 7.88, 8.3 for -w", .meant = "network",
     .fetches = "-s,--silent -S,--show-error -f,--fail --fail-with-body -i,--include -I,--head "
                "-v,--verbose -N,--no-buffer -#,--progress-bar --no-progress-meter --compressed "
                "-m,--max-time= --connect-timeout= --retry= --retry-delay= --retry-max-time= "
                "--max-filesize= --limit-rate= -r,--range= -X,--request=GET -X,--request=HEAD "
                "-H,--header=Accept: -H,--header=Accept-Language: --http1.1 --http2 "
                "-4,--ipv4 -6,--ipv6 --tlsv1.2 --tlsv1.3 -q,--disable",
     .options_in = "-K",
     .implies = "--data-raw>-d --data-urlencode>-d --json>-d -d>-X=POST --data-raw>-X=POST "
                "--data-urlencode>-X=POST --json>-X=POST -F>-X=POST --form-string>-X=POST "
                "-T>-X=PUT -I>-X=HEAD",
     .set_by = "CURL_HOME HOME XDG_CONFIG_HOME"},
    {"dig", "mixed plus %-h %-v -4 -6 -b= -c= !-f=R -k=R -m -p= -q=N -r -t= -u -x=N -y=", "N*",
     EFFECT_NETWORK, "dig(1); -f takes names from a file"},
    {"ftp", "", "^send^code N*", EFFECT_NETWORK, "ftp(1): ! runs a command"},
    {"gpg",
     "mixed %--version %-h,--help %--dump-options -k,--list-keys,--list-public-keys "
     "-K,--list-secret-keys "
     "--list-sigs,--list-signatures "
     "--check-sigs,--check-signatures --fingerprint --with-colons --with-fingerprint "
     "--with-subkey-fingerprint "
     "--with-keygrip "
     "--keyid-format= --list-options= --list-packets --show-keys --verify --batch --no-tty "
     "-q,--quiet -v,--verbose "
     "--status-fd= --logger-fd= -a,--armor --dearmor --enarmor --print-md -o,--output=W --yes --no "
     "--trust-model= "
     "-u,--local-user= -r,--recipient= --list-config --no-default-keyring --keyring=R "
     "^system--import ^system--delete-keys ^system--delete-secret-keys ^system--sign-key "
     "^system--lsign-key ^system--edit-key "
     "^system--gen-key "
     "^system--generate-key ^system--full-generate-key ^system--quick-generate-key "
     "^system--import-ownertrust "
     "^system--update-trustdb "
     "^secrets-d,--decrypt ^secrets--export-secret-keys ^secrets--export-secret-subkeys "
     "^secrets--passphrase= "
     "^secrets--passphrase-fd= "
     "^secrets--passphrase-file=R "
     "^secrets-s,--sign ^secrets-b,--detach-sign ^secrets--clear-sign,--clearsign -e,--encrypt "
     "-c,--symmetric "
     "--export "
     "!--keyserver=N ^network--recv-keys,--receive-keys ^network--send-keys ^network--search-keys "
     "^network--refresh-keys "
     "^network--fetch-keys "
     "^network--locate-keys ^network--auto-key-retrieve !--homedir=R !--options=R "
     "!--photo-viewer=X "
     "!--exec-path=X !--agent-program=X "
     "!--dirmngr-program=X",
     "{--dearmor,--enarmor,-s,-b,--clear-sign,-e,-c} {-o,--output} R* | "
     "{--dearmor,--enarmor,-s,-b,--clear-sign,-e,-c} "
     "RW* | "
     "{-k,--list-keys,-K,--list-secret-keys,--list-sigs,--check-sigs,--fingerprint,--export,--list-"
     "config} .* | "
     "{--recv-keys,--send-keys,--search-keys,--refresh-keys,--locate-keys,--fetch-keys} N* | "
     "{--print-md} . R* | {--list-packets,--show-keys,--verify,-d,--import} R* | ^secrets R*",
     0, "gpg(1) 2.2; without -o it writes beside what it reads", .also = "gpg2", .names_in = "--multifile"},
    {"gpg2", "=gpg", "", 0, "gpg(1)"},
    {"host", "%-V -4 -6 -a -C -c= -d -l -N= -r -R= -s -t= -T -U -v -w -W=", "N*", EFFECT_NETWORK,
     "host(1)"},
    {"http",
     "mixed %--version %--help %--manual -h,--headers -b,--body -v,--verbose -q,--quiet "
     "-p,--print= -j,--json "
     "-f,--form --multipart --raw= -I,--ignore-stdin -o,--output=W "
     "^unknown-d,--download "
     "!-F,--follow !--proxy=N "
     "--timeout= --check-status --pretty= -s,--style= -a,--auth= -A,--auth-type= !--session=R "
     "!--verify= !--cert=R "
     "!--cert-key=R",
     "^send N .*", EFFECT_NETWORK, "http(1), HTTPie 3", .also = "httpie"},
    {"httpie", "=http", "", 0, "http(1)"},
    {"https", "=http", "", 0, "http(1)"},
    {"ifconfig", "-a -s -v -l", "{0} none | {1} . | ^system .*", 0, "ifconfig(8)"},
    {"ip",
     "+long %-V,-Version -4 -6 -0 -B -M -s,-stats,-statistics -d,-details -j,-json -p,-pretty "
     "-br,-brief -o,-oneline "
     "-c,-color "
     "-h,-human,-human-readable -iec -r,-resolve -t,-timestamp -ts,-tshort -a,-all -N,-Numeric "
     "-f,-family= !-n,-netns= "
     "!-b,-batch=R !-force -l,-loops= !-rc,-rcvbuf=",
     "sub", 0, "ip(8)"},
    {"ip a", "=ip addr", "", 0, "ip-address(8)"},
    {"ip addr", "", "{0} none | ^system .*", 0, "ip-address(8)", .also = "ip a,ip address"},
    {"ip addr list", "=ip addr show", "", 0, "ip-address(8)"},
    {"ip addr ls", "=ip addr show", "", 0, "ip-address(8)"},
    {"ip addr s", "=ip addr show", "", 0, "ip-address(8)"},
    {"ip addr show", "", ".*", 0, "ip-address(8)"},
    {"ip address", "=ip addr", "", 0, "ip-address(8)"},
    {"ip l", "=ip link", "", 0, "ip-link(8)"},
    {"ip link", "", "{0} none | ^system .*", 0, "ip-link(8)", .also = "ip l"},
    {"ip link list", "=ip link show", "", 0, "ip-link(8)"},
    {"ip link ls", "=ip link show", "", 0, "ip-link(8)"},
    {"ip link show", "", ".*", 0, "ip-link(8)"},
    {"ip maddr", "", "{0} none | ^system .*", 0, "ip-maddress(8)"},
    {"ip maddr show", "", ".*", 0, "ip-maddress(8)"},
    {"ip monitor", "", "{0} none | ^unknown .*", 0, "ip-monitor(8)"},
    {"ip monitor address", "", "none", 0, "ip-monitor(8)"},
    {"ip monitor all", "", "none", 0, "ip-monitor(8)"},
    {"ip monitor link", "", "none", 0, "ip-monitor(8)"},
    {"ip monitor neigh", "", "none", 0, "ip-monitor(8)"},
    {"ip monitor route", "", "none", 0, "ip-monitor(8)"},
    {"ip monitor rule", "", "none", 0, "ip-monitor(8)"},
    {"ip n", "=ip neigh", "", 0, "ip-neighbour(8)"},
    {"ip neigh", "", "{0} none | ^system .*", 0, "ip-neighbour(8)", .also = "ip n"},
    {"ip neigh list", "=ip neigh show", "", 0, "ip-neighbour(8)"},
    {"ip neigh show", "", ".*", 0, "ip-neighbour(8)"},
    {"ip netns", "", "{0} none | ^system .*", 0, "ip-netns(8)"},
    {"ip netns exec", "", ". I", EFFECT_PRIVILEGE | EFFECT_CODE, "ip-netns(8)"},
    {"ip netns list", "", "none", 0, "ip-netns(8)"},
    {"ip r", "=ip route", "", 0, "ip-route(8)"},
    {"ip route", "", "{0} none | ^system .*", 0, "ip-route(8)", .also = "ip r"},
    {"ip route get", "", ".*", 0, "ip-route(8)"},
    {"ip route list", "=ip route show", "", 0, "ip-route(8)"},
    {"ip route ls", "=ip route show", "", 0, "ip-route(8)"},
    {"ip route show", "", ".*", 0, "ip-route(8)"},
    {"ip rule", "", "{0} none | ^system .*", 0, "ip-rule(8)"},
    {"ip rule list", "=ip rule show", "", 0, "ip-rule(8)"},
    {"ip rule show", "", ".*", 0, "ip-rule(8)"},
    {"ip stats", "", "{0} none | ^system .*", 0, "ip-stats(8)"},
    {"ip stats show", "", ".*", 0, "ip-stats(8)"},
    {"ip tuntap", "", "{0} none | ^system .*", 0, "ip-tuntap(8)"},
    {"ip tuntap list", "=ip tuntap show", "", 0, "ip-tuntap(8)"},
    {"ip tuntap show", "", "none", 0, "ip-tuntap(8)"},
    {"ip6tables", "=iptables", "", 0, "iptables(8)"},
    {"iptables",
     "mixed %-h,--help %-V,--version -L,--list -S,--list-rules -n,--numeric -v,--verbose "
     "-x,--exact --line-numbers "
     "-t,--table= "
     "-w,--wait !--modprobe=",
     "{-L,--list,-S,--list-rules} .* | ^system .*", 0,
     "iptables(8); an option that changes rules is not listed"},
    {"iptables-save",
     "%-h,--help %-V,--version -c,--counters -t,--table= -f,--file=W !-M,--modprobe=", "none", 0,
     "iptables-save(8)"},
    {"lynx", "", "^send N*", EFFECT_NETWORK, "lynx(1); settings and handlers run programs"},
    {"mail", "mixed %-V,--version", "^send N*", EFFECT_NETWORK | EFFECT_CODE,
     "mail(1); ~! in its input runs commands", .also = "mailx"},
    {"mailx", "=mail", "", 0, "mailx(1)"},
    {"mosh", "%--version %--help", "N I", EFFECT_NETWORK | EFFECT_CODE, "mosh(1)"},
    {"msmtp", "%--version %--help", "^send N*", EFFECT_NETWORK, "msmtp(1)"},
    {"mtr",
     "abbrev mixed %-h,--help %-v,--version -r,--report -w,--report-wide -c,--report-cycles= "
     "-n,--no-dns -b,--show-ips "
     "-4 -6 -u,--udp -T,--tcp -P,--port= -i,--interval= -s,--psize= -m,--max-ttl= -f,--first-ttl= "
     "-j,--json -C,--csv "
     "-x,--xml -F,--filename=R",
     "N*", EFFECT_NETWORK, "mtr(8)"},
    {"mutt", "", "^send N*", EFFECT_NETWORK | EFFECT_CODE, "mutt(1)"},
    {"nc",
     "mixed %-h -4 -6 -n -u -v -z -w= -i= -G= -d ^send-N ^send-q= ^code-l ^code-k ^send-t ^send-T= "
     "^send-C ^send-b -D "
     "^send-I= ^send-O= -r -s= -p= "
     "!-e=X !-c=X !-U !-x=N !-X= !-P= !-o=W !-g= !-F !-Z= !-V= !-L=",
     "{-z} N .* | ^send N .*", EFFECT_NETWORK, "nc(1), OpenBSD and traditional", .also = "netcat"},
    {"ncat",
     "mixed %--version %-h,--help -4 -6 -n,--nodns -u,--udp -v,--verbose -z -w,--wait= "
     "-i,--idle-timeout= "
     "^code-l,--listen "
     "^code-k,--keep-open -p,--source-port= --ssl --ssl-verify !-e,--exec=X !-c,--sh-exec=X "
     "!--lua-exec=F !-U,--unixsock "
     "!--proxy=N !--proxy-type= !-o,--output=W !-x,--hex-dump=W",
     "{-z} N .* | ^send N .*", EFFECT_NETWORK, "ncat(1)"},
    {"netcat", "=nc", "", 0, "nc(1)"},
    {"netstat",
     "mixed %-V,--version -a,--all -l,--listening -n,--numeric --numeric-hosts --numeric-ports "
     "--numeric-users "
     "-t,--tcp -u,--udp "
     "-p,--program,--programs -r,--route -i,--interfaces -s,--statistics -e,--extend -o,--timers "
     "-c,--continuous "
     "-g,--groups "
     "-v,--verbose -W,--wide -w,--raw -x,--unix -4,--inet -6,--inet6 -A= -f= -b -m -L",
     ".*", 0, "netstat(8), and of macOS"},
    {"nft",
     "%-v,--version %-h,--help -n,--numeric -a,--handle -s,--stateless -j,--json "
     "-y,--numeric-priority ^system-f,--file=R "
     "^system-i,--interactive ^system-c,--check !-I,--includepath= !-D,--define=",
     "^system .*", 0, "nft(8)"},
    {"nft list", "", ".*", 0, "nft(8)"},
    {"nmap", "", "^send N*", EFFECT_NETWORK, "nmap(1); --script runs code, -o* writes"},
    {"nslookup",
     "+long %-version -type,-query,-q= -port= -timeout= -retry= -debug -class= -norecurse", "N*",
     EFFECT_NETWORK, "nslookup(1)"},
    {"openssl", "%--version %--help", "sub", 0, "openssl(1) 3.0", .talks = true},
    {"openssl asn1parse",
     "+long -in=R -out=W -inform= -i -dump -dlimit= -offset= -length= -noout -strparse= -strictpem "
     "!-genconf=R "
     "-genstr= "
     "-oid=R",
     "none", 0, "openssl-asn1parse(1)"},
    {"openssl base64", "+long -e -d -A -a -in=R -out=W", "none", 0, "openssl-enc(1)"},
    {"openssl ciphers", "+long -v -V -s -stdname -tls1_2 -tls1_3 -ciphersuites=", ".", 0,
     "openssl-ciphers(1)"},
    {"openssl crl",
     "+long -in=LR -out=W -inform= -outform= -text -noout -hash -fingerprint -issuer -lastupdate "
     "-nextupdate -nameopt= "
     "-CAfile=R -CApath=r",
     "none", 0, "openssl-crl(1)"},
    {"openssl dgst",
     "+long -md5 -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -blake2b512 -hex -binary -r -c "
     "-out=W -hmac= -sign=R "
     "-verify=R "
     "-prverify=R -signature=R -keyform= -passin= -list",
     "R*", 0, "openssl-dgst(1)"},
    {"openssl ec",
     "+long -in=R -out=W -inform= -outform= -noout -text -pubin -pubout -check -passin= -passout= "
     "-param_out "
     "-conv_form= ",
     "none", 0, "openssl-ec(1)"},
    {"openssl ecparam",
     "+long -list_curves -name= -genkey -noout -text -check -in=R -out=W -inform= -outform= "
     "-conv_form= -param_enc=",
     "none", 0, "openssl-ecparam(1)"},
    {"openssl enc",
     "+long -e -d -a -base64 -A -in=R -out=W -pass= -k= -kfile=R -K= -iv= -S= -salt -nosalt -p -P "
     "-md= -iter= -pbkdf2 "
     "-z -none -list "
     "-aes-128-cbc -aes-192-cbc -aes-256-cbc -aes-256-ctr -aes-128-ecb -aes-256-ecb -chacha20",
     "none", 0, "openssl-enc(1)"},
    {"openssl genpkey",
     "+long -algorithm= -pkeyopt= -out=W -outform= -pass= -aes256 -text -quiet -paramfile=R",
     "none", 0, "openssl-genpkey(1)"},
    {"openssl genrsa",
     "+long -out=W -passout= -aes256 -aes128 -f4 -3 -F4 -primes= -verbose -traditional", ".", 0,
     "openssl-genrsa(1)"},
    {"openssl help", "", ".*", 0, "openssl(1)"},
    {"openssl list",
     "+long -commands -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms "
     "-public-key-algorithms "
     "-providers "
     "-disabled -engines -standard-commands -verbose -1 -all-algorithms -kdf-algorithms "
     "-mac-algorithms",
     "none", 0, "openssl-list(1)"},
    {"openssl md5", "+long -hex -binary -r -c -out=W", "R*", 0, "openssl-dgst(1)"},
    {"openssl passwd",
     "+long -1 -5 -6 -apr1 -aixmd5 -salt= -in=R -stdin -noverify -quiet -table -reverse", ".*", 0,
     "openssl-passwd(1)"},
    {"openssl pkcs12",
     "+long -in=R -out=W -export -info -nokeys -nocerts -nodes -noenc -clcerts -cacerts -noout "
     "-inkey=R -certfile=R "
     "-CAfile=R -name= "
     "-passin= -passout= -password= -legacy -nomac -macalg= -certpbe= -keypbe=",
     "none", 0, "openssl-pkcs12(1)"},
    {"openssl pkey",
     "+long -in=R -out=W -inform= -outform= -noout -text -text_pub -pubin -pubout -pubcheck -check "
     "-passin= -passout= "
     "-aes256",
     "none", 0, "openssl-pkey(1)"},
    {"openssl prime", "+long -hex -generate -bits= -safe -checks=", ".*", 0, "openssl-prime(1)"},
    {"openssl rand", "+long -hex -base64 -out=W -rand=R -writerand=W", ".", 0, "openssl-rand(1)"},
    {"openssl req",
     "+long -in=R -out=W -inform= -outform= -noout -text -subject -pubkey -verify -new -newkey= "
     "-x509 -nodes -noenc "
     "-days= -subj= "
     "-key=R -keyout=W -keyform= -passin= -passout= -batch -sha256 -sha384 -sha512 -addext= -utf8 "
     "-set_serial= "
     "-extensions= "
     "-reqexts= -modulus -nameopt= -reqopt= !-config=R",
     "{-key,-keyout} none | {-new,-newkey,-x509} cwd=W none | none", 0,
     "openssl-req(1); a new key is written to privkey.pem"},
    {"openssl rsa",
     "+long -in=R -out=W -inform= -outform= -noout -text -pubin -pubout -RSAPublicKey_out -modulus "
     "-check -passin= "
     "-passout= -aes256 -traditional",
     "none", 0, "openssl-rsa(1)"},
    {"openssl s_client", "+long -connect=N -host=N", "^send N*", EFFECT_NETWORK,
     "openssl-s_client(1); sends its input"},
    {"openssl s_server", "+long", "@@data", EFFECT_NETWORK, "openssl-s_server(1)"},
    {"openssl sha1", "=openssl md5", "", 0, "openssl-dgst(1)"},
    {"openssl sha256", "=openssl md5", "", 0, "openssl-dgst(1)"},
    {"openssl sha512", "=openssl md5", "", 0, "openssl-dgst(1)"},
    {"openssl verify",
     "+long -CAfile=R -CApath=r -untrusted=LR -trusted=LR -crl_check -crl_check_all -CRLfile=LR "
     "-purpose= -verbose "
     "-show_chain "
     "-partial_chain -x509_strict -no-CAfile -no-CApath -verify_hostname= -verify_ip= "
     "-verify_depth= -nameopt=",
     "LR*", 0, "openssl-verify(1); certificates and lists of revoked ones are fetched from a URL"},
    {"openssl version", "+long -a -v -b -o -f -p -d -e -m -r -c", "none", 0, "openssl-version(1)"},
    {"openssl x509",
     "+long -in=LR -out=W -inform= -outform= -noout -text -enddate -startdate -dates -subject "
     "-issuer -serial "
     "-fingerprint -hash "
     "-subject_hash -issuer_hash -email -ocsp_uri -purpose -pubkey -modulus -checkend= -checkhost= "
     "-checkemail= "
     "-checkip= -ext= "
     "-nameopt= -certopt= -sha1 -sha256 -sha384 -sha512 -md5 -alias -trustout -req -days= "
     "-signkey=R -key=R -CA=LR "
     "-CAkey=R "
     "-CAserial=RW !-CAcreateserial -set_serial= -extfile=R -extensions= -passin= "
     "-copy_extensions= -new -subj= "
     "-force_pubkey=R",
     "none", 0, "openssl-x509(1)"},
    {"ping",
     "%-V -c= -i= -W= -w= -n -q -4 -6 -t= -s= -v -D -O -a -A -b -B -f -l= -L -m= -M= -N= -Q= -r -R "
     "-S= -T= -U ^send-p= "
     "!-I=",
     "N*", EFFECT_NETWORK, "ping(8)"},
    {"ping6", "=ping", "", 0, "ping(8)"},
    {"route", "%-V,--version %-h,--help -n -e -v -4 -6 -A=", "{0} none | ^system .*", 0,
     "route(8)"},
    {"rsync",
     "mixed %-V,--version %--help -v,--verbose -q,--quiet -c,--checksum -a,--archive "
     "-r,--recursive -R,--relative "
     "-b,--backup --backup-dir=w --suffix=@suffix -u,--update --inplace --append --append-verify "
     "-d,--dirs -l,--links "
     "-L,--copy-links "
     "--copy-unsafe-links --safe-links -k,--copy-dirlinks -K,--keep-dirlinks -H,--hard-links "
     "-p,--perms "
     "-E,--executability "
     "--chmod= -A,--acls -X,--xattrs -o,--owner -g,--group --devices --specials -D -t,--times "
     "-O,--omit-dir-times "
     "-J,--omit-link-times "
     "-S,--sparse -n,--dry-run -W,--whole-file -x,--one-file-system -B,--block-size= --existing "
     "--ignore-existing "
     "--max-delete= "
     "--max-size= --min-size= --partial --partial-dir=w -m,--prune-empty-dirs --numeric-ids "
     "--usermap= --groupmap= "
     "--chown= "
     "--timeout= --contimeout= -I,--ignore-times --size-only --modify-window= -T,--temp-dir=W "
     "-y,--fuzzy "
     "--compare-dest=r --copy-dest=r "
     "--link-dest=r -z,--compress --zc,--compress-choice= --compress-level= -C,--cvs-exclude "
     "--exclude= --include= "
     "--exclude-from=R "
     "--include-from=R --files-from=LR -0,--from0 -s,--protect-args --stats -8,--8-bit-output "
     "-h,--human-readable "
     "--progress -P "
     "-i,--itemize-changes --out-format= --log-file=W --log-file-format= --password-file=R "
     "--list-only --bwlimit= "
     "-4,--ipv4 -6,--ipv6 "
     "--info= --debug= --no-perms --no-owner --no-group --no-times --mkpath --delete-missing-args "
     "--force "
     "^loss--delete ^loss--del ^loss--delete-before ^loss--delete-during ^loss--delete-delay "
     "^loss--delete-after "
     "^loss--delete-excluded "
     "^loss--remove-source-files !-e,--rsh=X !--rsync-path=X !-M,--remote-option= !-f,--filter= "
     "!-F "
     "!--write-batch=W "
     "!--only-write-batch=W !--read-batch=R !--daemon !--config=R !--port= !--sockopts= !--iconv= "
     "!--copy-as=",
     "{-n,--dry-run,--list-only} Lr* | {1} Lr | Lr+ Lw", 0, "rsync(1) 3.2", .brings = BRINGS_COPIES,
     .talks = true, .follows = "-L -k --copy-unsafe-links",
     .implies = "-a>-r --del>--delete --delete-before>--delete --delete-during>--delete "
                "--delete-delay>--delete --delete-after>--delete --delete-excluded>--delete",
     .set_by = "RSYNC_*", .names_in = "--files-from"},
    {"scp",
     "-3 -4 -6 -A -B -C -O -p -q -r -R -s -T -v -c= -l= -P= -i=R !-D=X !-J=N !-F=R -o=@sshset "
     "!-S=X !-X=",
     "{-r} Lr+ Lw | LR+ LW", 0, "scp(1)", .talks = true, .follows = "*", .options_in = "-F -o"},
    {"sendmail", "", "^send N*", EFFECT_NETWORK, "sendmail(8)"},
    {"sftp",
     "-2 -4 -6 -A -a -C -f -N -p -q -r -v -B= -c= -i=R -l= -P= -R= -o=@sshset !-b=F !-D=X !-F=R "
     "!-J=N !-S=X !-s=X !-X=",
     "^send N*", EFFECT_NETWORK | EFFECT_CODE, "sftp(1); its input runs local commands"},
    {"socat", "%-V %-h", "X*", EFFECT_NETWORK | EFFECT_CODE,
     "socat(1); addresses run, read and write"},
    {"ss",
     "mixed %-h,--help %-V,--version -n,--numeric -r,--resolve -a,--all -l,--listening "
     "-o,--options -e,--extended "
     "-m,--memory "
     "-p,--processes -T,--threads -i,--info --tos --cgroup -s,--summary -b,--bpf -E,--events "
     "-Z,--context "
     "-z,--contexts -4,--ipv4 "
     "-6,--ipv6 -0,--packet -t,--tcp -M,--mptcp -S,--sctp -u,--udp -d,--dccp -w,--raw -x,--unix "
     "--tipc --vsock --xdp "
     "-H,--no-header "
     "-O,--oneline -f,--family= -A,--query,--socket= !-F,--filter=R -D,--diag=W ^process-K,--kill "
     "!-N,--net=",
     "@filter*", 0, "ss(8)", .same = "-N,--net"},
    {"ssh",
     "again %-V %-Q= -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -v -X -x -Y -y -B= -b= -c= "
     "-e= "
     "-i=R -l= -m= -p= -E=W "
     "!-D= !-F=R "
     "!-I=F !-J=N !-L= !-O= -o=@sshset !-R= !-S=W !-W=N !-w=",
     "N S*", EFFECT_NETWORK | EFFECT_CODE, "ssh(1)", .options_in = "-F -o",
     .says = "runs a command on another machine"},
    {"ssh-add",
     "-l -L -q -v -E= ^secrets-d ^secrets-D ^secrets-x ^secrets-X -t= -T !-s=F !-S=F !-e=F",
     "{-l,-L} none | ^secrets R*", 0, "ssh-add(1)"},
    {"ssh-agent", "-s -c -D -d -k ^unknown-a=W -t= -E= !-P=", "{0} ^process none | ^process I", 0,
     "ssh-agent(1)"},
    {"ssh-copy-id", "%-h", "^send N*", EFFECT_NETWORK | EFFECT_CODE, "ssh-copy-id(1)"},
    {"ssh-keygen",
     "-l -B -F= -y -e -i -v -q -E= -m= -t= -b= -N= -P= -C= -a= -f=W -O= ^unknown-R= ^unknown-H "
     "^unknown-A ^unknown-p ^unknown-c "
     "^unknown-h ^unknown-s=R ^unknown-k "
     "^unknown-Q "
     "^unknown-M= ^unknown-Y= !-D=F !-K !-w=F",
     "{-l,-B,-F,-y,-e,-i} -f=R none | {-f} none | ^unknown .*", 0, "ssh-keygen(1)"},
    {"ssh-keyscan", "-4 -6 -c -D -H -p= -T= -t= -v -f=R", "N*", EFFECT_NETWORK, "ssh-keyscan(1)"},
    {"tcpdump",
     "mixed %--version %-h,--help -n -v -q -A -x -X -e -t -S -N -c= -s= -i,--interface= "
     "-D,--list-interfaces -r=R "
     "!-F=R "
     "-V=R "
     "-w=W !-z=X !-Z= -G= -C= -W=",
     "{-D,--list-interfaces} none | {-r,-V} @filter* | ^secrets^privilege .*", 0, "tcpdump(8)"},
    {"telnet", "", "^send^code N .*", EFFECT_NETWORK, "telnet(1): ! runs a command"},
    {"tracepath", "%-V -4 -6 -b -l= -m= -n -p=", "N*", EFFECT_NETWORK, "tracepath(8)"},
    {"traceroute",
     "mixed %--help %-V,--version -4 -6 -n -I,--icmp -T,--tcp -U,--udp -m,--max-hops= "
     "-q,--queries= -w,--wait= "
     "-p,--port= -f,--first=",
     "N .*", EFFECT_NETWORK, "traceroute(8)"},
    {"traceroute6", "=traceroute", "", 0, "traceroute(8)"},
    {"tshark",
     "mixed %-h,--help %-v,--version -r,--read-file=R -Y,--display-filter=@filter "
     "-R,--read-filter=@filter -2 -n -N= "
     "-d= -q -Q -V "
     "-O= -P "
     "-S= -x -T= -e= -E= -j= -J= -t= -u= -z=@filter -c= -l -g -w=W -F= -M= -D,--list-interfaces "
     "-G?= --color !-X= !-C= "
     "!-o= "
     "!--export-objects= !-b= !-a= !-H= !-K= !-i= !-k",
     "{-r} @filter* | {-G} none | ^privilege^unknown .*", 0,
     "tshark(1); -X loads scripts, without -r it listens"},
    {"w3m", "", "^send N*", EFFECT_NETWORK, "w3m(1); settings and handlers run programs"},
    {"wget",
     /* it follows redirects, so that no destination is the last one */
     "mixed %-V,--version %-h,--help -b,--background -q,--quiet -v,--verbose -nv,--no-verbose "
     "-d,--debug "
     "-S,--server-response --spider "
     "--show-progress --progress= -O,--output-document=W -P,--directory-prefix=w "
     "-o,--output-file=W "
     "-a,--append-output=W -c,--continue "
     "-nc,--no-clobber -N,--timestamping -t,--tries= --retry-connrefused --waitretry= "
     "-T,--timeout= --connect-timeout= "
     "--read-timeout= "
     "--dns-timeout= -w,--wait= --random-wait --limit-rate= -4,--inet4-only -6,--inet6-only "
     "--no-proxy "
     "--no-check-certificate "
     "--https-only --secure-protocol= --header= -U,--user-agent= --referer= --user= --password= "
     "--http-user= "
     "--http-password= "
     "--max-redirect= --content-disposition --content-on-error --compression= --no-cache "
     "--no-cookies --no-hsts "
     "--no-config "
     "-r,--recursive -l,--level= -k,--convert-links -p,--page-requisites -m,--mirror "
     "-np,--no-parent "
     "-nd,--no-directories "
     "-nH,--no-host-directories -x,--force-directories --cut-dirs= -E,--adjust-extension "
     "-A,--accept= -R,--reject= "
     "-D,--domains= "
     "-H,--span-hosts --method= ^send--post-data= ^send--post-file=R ^send--body-data= "
     "^send--body-file=R "
     "--load-cookies=R "
     "--save-cookies=W "
     "--ca-certificate=R --ca-directory=r !--certificate=R !--private-key=R !-i,--input-file=LR "
     "!-e,--execute=X "
     "!--config=R "
     "!--use-askpass=X !--bind-address= !--rejected-log=W !--warc-file=W !--hsts-file=W "
     "^loss--delete-after ^loss--unlink",
     "{--spider} ^send @url* | {-O,--output-document} ^send @url* | ^send cwd=w @url*",
     EFFECT_NETWORK, "wget(1) 1.21", .meant = "network",
     .fetches = "+--max-redirect=0 -q,--quiet -O,--output-document=- --spider -S,--server-response "
                "-t,--tries= -T,--timeout= --connect-timeout= --read-timeout= --no-verbose "
                "--header=Accept: --no-config --no-hsts --no-cookies --no-proxy -4,--inet4-only "
                "-6,--inet6-only",
     .implies = "-m>-r", .options_in = "--config -e",
     .set_by = "WGETRC SYSTEM_WGETRC HOME XDG_CONFIG_HOME"},
    {"whois", "mixed %--version %--help -h,--host=N -p,--port= -H -a -I", "N*", EFFECT_NETWORK,
     "whois(1)"},
    {"xh", "%--version %--help", "^send N .*", EFFECT_NETWORK, "xh(1)"},
    {"xhs", "=xh", "", 0, "xh(1)"},
};

extern const struct program_file rows_net;
const struct program_file rows_net = {"programs/rows/net.c", rows, COUNT(rows)};
