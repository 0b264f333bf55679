/* ssh.c - settings of ssh on its command line: ssh -o NAME=VALUE.
 *
 * Some of them run commands (ProxyCommand, Match exec), load libraries (PKCS11Provider) or read
 * more settings (Include), and new ones come with every version: the list is of those that only say
 * how to connect. */
#include "base/ascii.h"
#include "programs/reading.h"

/* ORDER: the longest list first, most are in it */
static const struct {
    const char *names, *roles;
} settings[] = {
    {"addkeystoagent addressfamily batchmode bindaddress canonicaldomains canonicalizehostname "
     "challengeresponseauthentication checkhostip ciphers clearallforwardings compression "
     "connectionattempts connecttimeout controlmaster controlpersist exitonforwardfailure "
     "forwardagent forwardx11 forwardx11timeout forwardx11trusted gatewayports "
     "gssapiauthentication gssapidelegatecredentials hashknownhosts hostbasedauthentication "
     "hostkeyalgorithms hostkeyalias identitiesonly ipqos kbdinteractiveauthentication "
     "kexalgorithms loglevel macs nohostauthenticationforlocalhost numberofpasswordprompts "
     "passwordauthentication port preferredauthentications pubkeyacceptedalgorithms "
     "pubkeyacceptedkeytypes pubkeyauthentication rekeylimit requesttty serveralivecountmax "
     "serveraliveinterval sessiontype stdinnull streamlocalbindunlink stricthostkeychecking "
     "tcpkeepalive updatehostkeys user verifyhostkeydns visualhostkey",
     "."},
    {"certificatefile globalknownhostsfile identityfile", "R"},
    {"controlpath userknownhostsfile", "W"},
    {"hostname proxyjump", "N"},
};

static bool ends_name(char c)
{
    return c == '=' || c == ' ' || c == '\t';
}

static bool is_quiet(struct str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (strchr("\"'`$\\ \t\n", value.s[i]))
            return false;
    return true;
}

/* NAME=VALUE, NAME = VALUE or NAME VALUE; the case of the name does not matter. */
void read_sshset(struct reading *r, struct piece p)
{
    size_t end = 0;
    struct piece value = p;

    while (end < p.text.len && !ends_name(p.text.s[end]))
        end++;
    struct str name = str_lower(r->arena, str_slice(p.text, 0, end));
    while (end < p.text.len && ends_name(p.text.s[end]))
        end++;
    value.text = str_from_byte(p.text, end);
    for (size_t i = 0; p.known && is_quiet(value.text) && i < COUNT(settings); i++)
        if (str_has_word(str_from(settings[i].names), name)) {
            apply_role(r, str_from(settings[i].roles), value);
            return;
        }
    r->out->effects |= EFFECT_CODE;
    doubt(r, p.word);
}
