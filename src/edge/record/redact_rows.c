#include "record/redact_rows.h"

const struct argument redact_arguments[] = {
    {NULL, NULL, "-H --header --headers --add-header --proxy-header", HEADER},
    {"curl", NULL, "-u --user -U --proxy-user", PASSWORD},
    {"curl", NULL, "-b --cookie --pass --key-pass --proxy-pass --oauth2-bearer --tlspassword",
     WHOLE},
    {"http https xh xhs httpie", NULL, "-a --auth", PASSWORD},
    {"wget wget2", NULL, "--password --http-password --ftp-password --proxy-password", WHOLE},
    {"mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mariadb mariadb-dump "
     "mariadb-admin mysqlpump mycli",
     NULL, "-p", JOINED},
    {"sshpass", NULL, "-p", WHOLE},
    {"docker podman helm oras skopeo buildah nerdctl crane az oc", "login", "-p", WHOLE},
    {"redis-cli keydb-cli valkey-cli", NULL, "-a --pass", SEPARATE},
    {"mongo mongosh mongodump mongorestore mongoexport mongoimport", NULL, "-p", WHOLE},
    {"ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare", NULL, "-w",
     WHOLE},
    {"mosquitto_pub mosquitto_sub mosquitto_rr sqlcmd bcp isql tsql zip unzip zipcloak", NULL, "-P",
     WHOLE},
    {"plink pscp psftp putty", NULL, "-pw", WHOLE},
    {"smbclient rpcclient net smbmap", NULL, "-U --user", PASSWORD},
    {"lftp ncftp", NULL, "-u", PASSWORD},
    {"openssl", NULL, "-passin -passout -pass -password", PREFIXED},
    {"openssl", NULL, "-k -K", SEPARATE},
    {"apksigner", NULL, "--ks-pass --key-pass", PREFIXED},
    {"7z 7za 7zz 7zr", NULL, "-p", JOINED},
    {"unrar rar", NULL, "-p -hp", JOINED},
    {"gpg gpg2", NULL, "--passphrase", WHOLE},
    {"ssh-keygen", NULL, "-N -P", WHOLE},
    {"keytool jarsigner", NULL, "-storepass -keypass -srcstorepass -deststorepass -new", WHOLE},
    {"snmpget snmpwalk snmpset snmpbulkwalk", NULL, "-A -X -c", WHOLE},
    {"ipmitool", NULL, "-P", WHOLE},
    {"xfreerdp xfreerdp3 wfreerdp signtool", NULL, "/p:", JOINED},
    {"rdesktop", NULL, "-p", WHOLE},
    {"useradd usermod adduser", NULL, "-p", WHOLE},
    {"twine", NULL, "-p", WHOLE},
    {"gh", "secret", "-b --body", WHOLE},
    {"security", "add-generic-password", "-w", WHOLE},
    {"security", "add-internet-password", "-w", WHOLE},
    {"security", "unlock-keychain", "-p", WHOLE},
    {"doctl fly flyctl vercel netlify", NULL, "-t --access-token", WHOLE},
    {"influx", NULL, "-t", WHOLE},
    {"impacket-secretsdump crackmapexec netexec nxc evil-winrm hydra", NULL, "-p", WHOLE},
    {"ngrok", "authtoken", NULL, FIRST_WORD},
    {"ngrok", "add-authtoken", NULL, FIRST_WORD},
    {"cargo", "login", NULL, FIRST_WORD},
    {"vault", "login", NULL, FIRST_WORD},
    {"htpasswd", "-b", NULL, LAST_WORD},
    {"htpasswd", "-bc", NULL, LAST_WORD},
    {"htpasswd", "-nb", NULL, LAST_WORD},
    {"htpasswd", "-nbB", NULL, LAST_WORD},
    {"htpasswd", "-bnBC", NULL, LAST_WORD},
    {"wpa_passphrase", NULL, NULL, LAST_WORD},
    {"mysqladmin", "password", NULL, LAST_WORD},
    {"secret-tool", "store", NULL, LAST_WORD},
    {"keyctl", "add", NULL, FIRST_WORD},
};

const size_t redact_argument_count = COUNT(redact_arguments);
_Static_assert(COUNT(redact_arguments) <= REDACT_ROWS_MAX, "a bit for each row");

const struct secret_reader redact_readers[] = {
    {NULL, "--password-stdin"}, {"chpasswd", NULL},
    {"gh", "--with-token"},     {"sudo", "-S"},
    {"passwd", "--stdin"},      {NULL, "--passphrase-fd"},
    {"glab", "--stdin"},        {"cryptsetup", NULL},
    {NULL, "--token-stdin"},    {"vault", "-"},
    {"smbpasswd", NULL},        {"kinit", NULL},
};

const size_t redact_reader_count = COUNT(redact_readers);

const struct key_end redact_key_ends[] = {
    {STR("password"), KEY_NOUN},
    {STR("passwd"), KEY_NOUN},
    {STR("passphrase"), KEY_NOUN},
    {STR("passcode"), KEY_NOUN},
    {STR("passwort"), KEY_NOUN},
    {STR("secret"), KEY_NOUN},
    {STR("token"), KEY_NOUN},
    {STR("apikey"), KEY_NOUN},
    {STR("secretkey"), KEY_NOUN},
    {STR("accesskey"), KEY_NOUN},
    {STR("authkey"), KEY_NOUN},
    {STR("accountkey"), KEY_NOUN},
    {STR("privatekey"), KEY_NOUN},
    {STR("totp"), KEY_NOUN},
    {STR("otp"), KEY_WORD},
    {STR("jwt"), KEY_WORD},
    {STR("psk"), KEY_WORD},
    {STR("pat"), KEY_WORD},
    {STR("pass"), KEY_WORD},
    {STR("pwd"), KEY_WORD},
    {STR("pw"), KEY_WORD},
    {STR("credential"), KEY_WORD},
    {STR("credentials"), KEY_WORD},
    {STR("bearer"), KEY_WORD},
    {STR("storepass"), KEY_WORD},
    {STR("keypass"), KEY_WORD},
    {STR("key"), KEY_OTHER},
    {STR("auth"), KEY_OTHER},
    {STR("authorization"), KEY_OTHER},
    {STR("cookie"), KEY_OTHER},
    {STR("sig"), KEY_OTHER},
    {STR("signature"), KEY_OTHER},
    {STR("identified"), KEY_OTHER},
};

const size_t redact_key_end_count = COUNT(redact_key_ends);

const char redact_setters[] =
    "aws npm yarn pnpm git pip pip3 poetry composer bundle gcloud rclone nmcli glab sf dokku";
const char redact_setting_words[] = "set config create connect add modify";
