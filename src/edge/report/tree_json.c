#include "report/tree_json.h"

#include "engine/action_json.h"

static void write_word(struct json_writer *w, const struct word *word);

static void write_parts(struct json_writer *w, const char *key, const struct word_parts *parts);

static void write_param(struct json_writer *w, const struct param *p)
{
    static const char *const forms[] = {[PARAM_PLAIN] = "value",
                                        [PARAM_LENGTH] = "length",
                                        [PARAM_INDIRECT] = "indirect",
                                        [PARAM_NAMES] = "names"};

    json_key(w, "parameter");
    json_begin_object(w);
    json_text_member(w, "name", p->name);
    json_text_member(w, "form", str_from(forms[p->form]));
    json_text_member_if(w, "operator", p->op);
    if (p->has_subscript) {
        json_true_member_if(w, "all", p->all);
        write_parts(w, "subscript", &p->subscript);
    }
    if (p->operand.parts.count)
        write_parts(w, "operand", &p->operand.parts);
    json_end_object(w);
}

static void write_part(struct json_writer *w, const struct part *p)
{
    static const char *const kinds[] = {[PART_TEXT] = "text",
                                        [PART_PARAM] = "parameter",
                                        [PART_COMMAND] = "command",
                                        [PART_BACKTICK] = "backtick",
                                        [PART_ARITH] = "arithmetic",
                                        [PART_PROCESS_IN] = "process-in",
                                        [PART_PROCESS_OUT] = "process-out"};

    json_begin_object(w);
    json_text_member(w, "kind", str_from(kinds[p->kind]));
    json_key(w, "quoted");
    json_bool(w, p->quoted);
    if (p->kind == PART_TEXT || p->kind == PART_ARITH)
        json_text_member(w, "text", p->text);
    if (p->kind == PART_PARAM)
        write_param(w, p->param);
    if (p->kind == PART_ARITH && p->inner)
        write_parts(w, "inner", p->inner);
    if (p->kind == PART_COMMAND || p->kind == PART_BACKTICK || p->kind == PART_PROCESS_IN ||
        p->kind == PART_PROCESS_OUT) {
        json_key(w, "body");
        tree_json(w, p->body);
    }
    json_end_object(w);
}

static void write_parts(struct json_writer *w, const char *key, const struct word_parts *parts)
{
    json_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < parts->count; i++)
        write_part(w, &parts->items[i]);
    json_end_array(w);
}

static void write_words(struct json_writer *w, const char *key, const struct words *words)
{
    if (!words->count)
        return;
    json_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < words->count; i++)
        write_word(w, &words->items[i]);
    json_end_array(w);
}

static void write_word(struct json_writer *w, const struct word *word)
{
    json_begin_object(w);
    json_span(w, word->at, word->len);
    json_text_member_if(w, "assigns", word->name);
    json_true_member_if(w, "appends", word->append);
    write_parts(w, "parts", &word->parts);
    json_true_member_if(w, "array", word->array);
    write_words(w, "elements", &word->elements);
    json_end_object(w);
}

static void write_redirects(struct json_writer *w, const struct redirects *list)
{
    if (!list->count)
        return;
    json_key(w, "redirects");
    json_begin_array(w);
    for (size_t i = 0; i < list->count; i++) {
        const struct redirect *r = list->items[i];
        json_begin_object(w);
        json_text_member(w, "operator", str_from(redirect_op_name(r->op)));
        json_span(w, r->at, r->len);
        json_text_member_if(w, "descriptor", r->fd);
        json_text_member_if(w, "delimiter", r->delimiter);
        json_true_member_if(w, "inert", r->inert);
        json_true_member_if(w, "strips_tabs", r->strip_tabs);
        json_key(w, "target");
        write_word(w, &r->target);
        json_end_object(w);
    }
    json_end_array(w);
}

static void write_clauses(struct json_writer *w, const struct clauses *list)
{
    if (!list->count)
        return;
    json_key(w, "clauses");
    json_begin_array(w);
    for (size_t i = 0; i < list->count; i++) {
        json_begin_object(w);
        write_words(w, "patterns", &list->items[i].patterns);
        json_text_member(w, "end", list->items[i].end);
        json_key(w, "body");
        tree_json(w, list->items[i].body);
        json_end_object(w);
    }
    json_end_array(w);
}

static void write_kids(struct json_writer *w, const struct nodes *kids)
{
    if (!kids->count)
        return;
    json_key(w, "kids");
    json_begin_array(w);
    for (size_t i = 0; i < kids->count; i++)
        tree_json(w, kids->items[i]);
    json_end_array(w);
}

void tree_json(struct json_writer *w, const struct node *n)
{
    static const char *const joins[] = {
        [JOIN_NONE] = "", [JOIN_SEMI] = ";", [JOIN_BACKGROUND] = "&", [JOIN_AND] = "&&",
        [JOIN_OR] = "||", [JOIN_PIPE] = "|", [JOIN_PIPE_ERR] = "|&"};

    if (!n) {
        json_null(w);
        return;
    }
    json_begin_object(w);
    json_text_member(w, "kind", str_from(node_kind_name(n->kind)));
    json_span(w, n->at, n->len);
    json_text_member_if(w, "join", str_from(joins[n->join]));
    json_text_member_if(w, "name", n->name);
    json_true_member_if(w, "negated", n->negated);
    json_true_member_if(w, "timed", n->timed);
    write_words(w, "assigns", &n->assigns);
    write_words(w, "words", &n->words);
    write_redirects(w, &n->redirects);
    write_clauses(w, &n->clauses);
    write_kids(w, &n->kids);
    json_end_object(w);
}
