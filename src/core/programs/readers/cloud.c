/* cloud.c - the command lines of the large clouds: hundreds of services, one grammar each.
 *
 * "aws SERVICE describe-THINGS", "az GROUP... list", "gcloud GROUP... describe": the verb says
 * whether a command only reads. The words before the verb must be known names, because "gcloud
 * compute instances delete list" deletes the instance named list. An unknown command counts as
 * sending. */
#include "programs/reading.h"

struct cloud {
    const char *names;   /* of services and groups */
    const char *verbs;   /* that only read; "list-*" covers every verb that begins so */
    const char *secrets; /* parts of a command that print keys, variables or tokens */
    const char *risky; /* parts of an option's name: files, other destinations, other identities */
    const char *foreign; /* parts of an option's name: values that become part of a host, and may be
                            another account's */
    const char *file;    /* a value with this prefix names a file to read */
};

static const struct cloud aws = {
    .names = "acm apigatewayv2 application-autoscaling athena autoscaling backup batch budgets ce "
             "cloudformation "
             "cloudfront cloudtrail cloudwatch codepipeline cognito-idp configservice dynamodb ec2 "
             "ecr ecs efs eks "
             "elasticache elb elbv2 events firehose iam kinesis kms lambda logs opensearch "
             "organizations pricing rds "
             "redshift resourcegroupstaggingapi route53 s3api scheduler secretsmanager "
             "service-quotas ses sesv2 sns sqs "
             "ssm stepfunctions sts support wafv2",
    .verbs = "describe-* list-* get-* head-* filter-log-events tail wait query scan batch-get-* "
             "simulate-* test-dns-answer "
             "admin-list-* admin-get-user lookup-events",
    .secrets =
        "get-secret batch-get-secret get-parameter get-session-token get-federation-token "
        "get-access-token get-token "
        "get-login get-authorization-token get-password-data get-cluster-credentials get-console "
        "get-function "
        "list-functions describe-task-definition describe-user-pool-client "
        "describe-instance-attribute "
        "describe-launch-template-versions get-launch-template-data get-credentials describe-job",
    .risky = "endpoint no-verify-ssl ca-bundle no-sign-request cli-input outfile registry-id "
             "owner-aws catalog-id",
    .foreign = "bucket",
    .file = "file",
};

static const struct cloud az = {
    .names = "a aaaa account acr action-group activity-log ad advisor agent aks alert api apim app "
             "appconfig "
             "application-gateway appservice assignment autoscale backup batch bicep blob boards "
             "build cdn certificate "
             "cloud cname cognitiveservices compute config consumption container containerapp "
             "cosmosdb database db "
             "definition "
             "deployment devops diagnostic-settings disk dns elastic-pool endpoint env eventhub "
             "eventhubs express-route "
             "extension feature firewall-rule flexible-server functionapp group hub identity image "
             "iot iteration job key "
             "keyvault kv lb lock log log-analytics logicapp metrics ml model monitor mx mysql "
             "namespace network nic "
             "nodepool "
             "nsg pipelines plan policy pool postgres pr private-dns profile project provider "
             "public-ip queue "
             "recommendation record-set redis ref repos resource revision role route-table rule "
             "runs search "
             "server servicebus share signalr signed-in-user slot snapshot source sp sql sshkey "
             "state storage sub "
             "subnet subscription synapse table tag team topic txt usage user variable-group vault "
             "vm vmss vnet "
             "vpn-connection "
             "webapp work-item workspace zone appsettings authorization-rule connection-string "
             "credential keys secret",
    .verbs = "list show exists tail list-skus list-sizes list-usages list-usage list-versions "
             "list-runtimes list-locations "
             "list-ip-addresses list-tags get-versions get-upgrades get-instance-view",
    .secrets = "secret credential appsettings connection-string token publishing password keys",
    .risky = "endpoint url connection-string org account-key sas-token file open",
    .foreign = "account-name vault-name",
    .file = "@",
};

static const struct cloud gcloud = {
    .names = "accounts addresses alpha app artifacts auth backend-services backups beta billing "
             "builds certificate-manager "
             "certificates clusters compute config configurations container databases datasets "
             "deploy disks dns docker "
             "firewall-rules forwarding-rules functions health-checks iam iap images "
             "instance-groups instance-templates "
             "instances jobs keyrings keys kms locations logging logs managed managed-zones "
             "network-security networks "
             "node-pools objects operations organizations packages policies projects pubsub "
             "record-sets regions "
             "repositories resource-manager revisions roles routers routes run scheduler secrets "
             "server-tls-policies "
             "service-accounts services snapshots sql ssl-certificates storage subnets "
             "subscriptions tags target-pools "
             "tasks "
             "topics trust-configs triggers url-maps users versions vpn-tunnels web workflows "
             "zones buckets",
    .verbs = "list describe get-iam-policy get-value get list-tags list-grantable-roles read help "
             "info ls",
    .secrets = "print- access-token",
    .risky = "file impersonate token log-http endpoint",
    .foreign = "",
    .file = "",
};

static bool fits(struct str pattern, struct str word)
{
    if (str_ends(pattern, STR("*")))
        return str_starts(word, str_slice(pattern, 0, pattern.len - 1));
    return str_eq(pattern, word);
}

static bool in_list(const char *list, struct str word)
{
    struct str rest = str_from(list), one;

    while (str_next_word(&rest, &one))
        if (fits(one, word))
            return true;
    return false;
}

static bool has_part(const char *list, struct str word)
{
    struct str rest = str_from(list), one;

    while (str_next_word(&rest, &one))
        if (str_contains(word, one))
            return true;
    return false;
}

static bool is_option(const struct shell_word *w)
{
    return w->text.len && w->text.s[0] == '-';
}

/* A value: data, or a file that the client reads and sends. */
static void read_value(struct reading *r, const struct cloud *c, size_t word, struct str value)
{
    const struct shell_word *w = &r->words[word];
    struct str file = str_from(c->file);

    if (!file.len || !str_starts(value, file))
        return;
    size_t slashes = str_index(value, '/');
    if (value.s[0] == '@')
        value = str_from_byte(value, 1);
    else if (slashes != STR_NONE && str_starts(str_from_byte(value, slashes), STR("//")))
        value = str_from_byte(value, slashes + 2);
    else
        return;
    add_path(
        r, (struct piece){.word = word, .text = value, .known = w->known, .may_glob = w->may_glob},
        PROGRAM_READS, false);
}

/* The name of something that may belong to another account (a bucket, a registry, a queue, a
 * resource by its full name), whose owner would see the request in a log. */
static bool is_foreign(struct str value)
{
    struct str host, rest;

    if (str_starts(value, STR("arn:aws:iam:")))
        return false;
    if (str_starts(value, STR("arn:")) || str_contains(value, STR("://")))
        return true;
    return str_cut(value, '/', &host, &rest) && host.len && str_has(host, '.');
}

/* The words after the command: options and data in any order. */
static void read_rest(struct reading *r, const struct cloud *c, size_t from)
{
    for (size_t i = from; i < r->count; i++) {
        const struct shell_word *w = &r->words[i];
        struct str name = w->text, value = {0};
        if (w->may_split || w->may_dash || str_contains(name, STR("@=")))
            doubt(r, i);
        if (!is_option(w)) {
            read_value(r, c, i, name);
            if (!str_starts(name, STR("file")) && is_foreign(name))
                apply_role(r, STR("N"), whole_word(r, i));
            continue;
        }
        str_cut(w->text, '=', &name, &value);
        if (str_has(name, WORD_UNKNOWN) || has_part(c->risky, name) ||
            (value.len && is_foreign(value)))
            doubt(r, i);
        if (has_part(c->foreign, name)) {
            r->out->effects |= EFFECT_NETWORK;
            doubt(r, i);
        }
        read_value(r, c, i, value);
    }
}

/* From the first word of the command to its verb; STR_NONE if there is none that only reads. */
static size_t find_verb(const struct reading *r, const struct cloud *c, size_t from)
{
    for (size_t i = from; i < r->count && r->words[i].known; i++) {
        if (in_list(c->verbs, r->words[i].text))
            return i;
        if (!in_list(c->names, r->words[i].text))
            return STR_NONE;
    }
    return STR_NONE;
}

static void read_command(struct reading *r, const struct cloud *c, size_t from)
{
    size_t verb = find_verb(r, c, from);

    if (from == r->count)
        return; /* only global options: prints its usage */
    if (verb == STR_NONE) {
        r->out->effects |= EFFECT_SEND;
        doubt(r, from);
        return;
    }
    r->out->effects |= EFFECT_FETCH;
    for (size_t i = from; i <= verb; i++)
        if (has_part(c->secrets, r->words[i].text))
            r->out->effects |= EFFECT_SECRETS;
    read_rest(r, c, verb + 1);
}

static bool word_is(const struct reading *r, size_t i, const char *text)
{
    return i < r->count && r->words[i].known && str_is(r->words[i].text, text);
}

/* aws configure: list masks the keys; get prints a setting as it is. */
static void read_aws_configure(struct reading *r, size_t at)
{
    if (word_is(r, at, "list") || word_is(r, at, "list-profiles"))
        read_rest(r, &aws, at + 1);
    else if (word_is(r, at, "get") &&
             (word_is(r, at + 1, "region") || word_is(r, at + 1, "output")))
        read_rest(r, &aws, at + 2);
    else if (word_is(r, at, "get"))
        r->out->effects |= EFFECT_SECRETS;
    else
        doubt(r, at);
}

static bool is_help(const struct reading *r, size_t from)
{
    for (size_t i = from; i < r->count; i++)
        if (!r->words[i].known || is_option(&r->words[i]))
            return false;
    return word_is(r, r->count - 1, "help");
}

void read_aws(struct reading *r, struct piece p)
{
    size_t at = p.word;

    if (at == r->count || is_help(r, at))
        return;
    for (size_t i = at; i < r->count; i++)
        if (word_is(r, i, "--debug"))
            r->out->effects |= EFFECT_SECRETS; /* prints requests with their tokens */
    if (word_is(r, at, "configure")) {
        read_aws_configure(r, at + 1);
    } else if (word_is(r, at, "s3") && word_is(r, at + 1, "ls") && at + 2 == r->count) {
        r->out->effects |= EFFECT_FETCH;
    } else if (word_is(r, at, "s3") || (word_is(r, at, "s3api") && at + 1 < r->count &&
                                        str_starts(r->words[at + 1].text, STR("get-object")))) {
        r->out->effects |= EFFECT_NETWORK; /* the bucket may belong to another account, and the
                                              object is written to a file */
        doubt(r, at);
    } else if (at + 1 < r->count && r->words[at + 1].known &&
               in_list(aws.verbs, r->words[at + 1].text)) {
        read_command(r, &aws, at);
    } else {
        r->out->effects |= EFFECT_SEND;
        doubt(r, at);
    }
}

void read_az(struct reading *r, struct piece p)
{
    if (word_is(r, p.word, "version") && r->count == p.word + 1)
        return;
    read_command(r, &az, p.word);
}

/* The description of a service shows its environment variables. */
void read_gcloud(struct reading *r, struct piece p)
{
    if (word_is(r, p.word, "run") || word_is(r, p.word, "functions"))
        for (size_t i = p.word; i < r->count; i++)
            if (word_is(r, i, "describe"))
                r->out->effects |= EFFECT_SECRETS;
    if (word_is(r, p.word, "version") && r->count == p.word + 1)
        return;
    read_command(r, &gcloud, p.word);
}

/* A database for the programs of PostgreSQL: a name, a URL, or settings that may include the host
 * ("host=x user=y"). */
void read_dbname(struct reading *r, struct piece p)
{
    if (str_has(p.text, '='))
        apply_role(r, STR("N"), p);
    else
        apply_role(r, STR("L."), p);
}
