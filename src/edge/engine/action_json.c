#include "engine/action_json.h"

#include "engine/outline.h"

void json_text_or_null(struct json_writer *w, const char *key, struct str text)
{
    json_key(w, key);
    if (text.len)
        json_text(w, text);
    else
        json_null(w);
}

void json_span(struct json_writer *w, size_t at, size_t len)
{
    json_key(w, "at");
    json_int(w, (int64_t)at);
    json_key(w, "length");
    json_int(w, (int64_t)len);
}

void json_findings(struct json_writer *w, const struct facts *f)
{
    json_key(w, "findings");
    json_begin_array(w);
    for (size_t i = 0; f && i < f->findings.count; i++) {
        const struct finding *it = &f->findings.items[i];
        json_begin_object(w);
        json_key(w, "name");
        json_text(w, str_from(it->name));
        json_key(w, "what");
        json_text(w, it->what);
        json_span(w, it->at, it->len);
        json_end_object(w);
    }
    json_end_array(w);
}

static void path_object(struct json_writer *w, const struct subject_path *p)
{
    static const struct {
        unsigned bit;
        const char *name;
    } accesses[] = {{ACCESS_READ, "read"},
                    {ACCESS_WRITE, "write"},
                    {ACCESS_DELETE, "delete"},
                    {ACCESS_RUN, "run"}};

    json_begin_object(w);
    json_key(w, "path");
    json_text(w, p->written);
    if (p->resolved.len && !str_eq(p->resolved, p->written)) {
        json_key(w, "resolved");
        json_text(w, p->resolved);
    }
    json_key(w, "access");
    json_begin_array(w);
    for (size_t i = 0; i < COUNT(accesses); i++)
        if (p->access & accesses[i].bit)
            json_text(w, str_from(accesses[i].name));
    json_end_array(w);
    json_key(w, "pattern");
    json_bool(w, p->pattern);
    json_key(w, "certain");
    json_bool(w, !p->uncertain);
    json_end_object(w);
}

static void paths(struct json_writer *w, const struct subject_paths *list)
{
    json_key(w, "paths");
    json_begin_array(w);
    for (size_t i = 0; i < list->count; i++)
        if (!list->items[i].below) /* made for rules; its directory is listed */
            path_object(w, &list->items[i]);
    json_end_array(w);
}

static void effects(struct json_writer *w, unsigned bits)
{
    struct strs names = {0};

    for (unsigned bit = 1; bit && bit <= bits; bit <<= 1)
        if (bits & bit)
            LIST_PUSH(w->out->arena, &names, str_from(program_effect_name(bit)));
    json_strings(w, "effect_names", &names);
    json_text_or_null(w, "effects", program_effects_text(w->out->arena, bits));
}

void json_action_members(struct json_writer *w, const struct facts *f, size_t i)
{
    const struct action *a = &f->actions.items[i];
    int parent = outline_parent(f, i);

    json_text_or_null(w, "form",
                      a->subject.forms_allow.count ? a->subject.forms_allow.items[0]
                                                   : (struct str){0});
    json_strings(w, "forms", &a->subject.forms_deny);
    json_span(w, a->at, a->len);
    json_key(w, "parent");
    if (parent < 0)
        json_null(w);
    else
        json_int(w, parent);
    json_key(w, "redirect");
    json_bool(w, a->redirect);
    json_text_or_null(w, "cwd", a->cwd);
    paths(w, &a->subject.paths);
    json_strings(w, "hosts", &a->subject.hosts);
    json_key(w, "program_known");
    json_bool(w, a->program);
    effects(w, a->effects);
}
