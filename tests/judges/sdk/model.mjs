// A model on loopback: it answers each request with the next tool call of a list, and keeps what it was sent.
import http from 'node:http';

function events(message, blocks) {
    const out = [['message_start', { message: { ...message, content: [], stop_reason: null } }]];
    for (const [index, block] of blocks.entries()) {
        const text = block.type === 'text';
        const delta = text ? { type: 'text_delta', text: block.text } :
            { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
        out.push(['content_block_start', { index, content_block: text ? { type: 'text', text: '' } : { ...block, input: {} } }]);
        out.push(['content_block_delta', { index, delta }], ['content_block_stop', { index }]);
    }
    const { stop_reason, stop_sequence } = message;
    out.push(['message_delta', { delta: { stop_reason, stop_sequence }, usage: { output_tokens: 1 } }], ['message_stop', {}]);
    return out.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join('');
}

// calls: { main: [...], MARK: [...] }: a conversation whose first message has the mark gets the list of that name.
export async function startModel(calls) {
    const model = { asked: [], results: new Map(), sent: '' };
    const next = {};
    let messages = 0;

    function listOf(body) {
        const first = JSON.stringify(body.messages?.[0]?.content ?? '');
        return Object.keys(calls).find((mark) => mark !== 'main' && first.includes(mark)) ?? 'main';
    }
    function blocks(body) {
        const list = listOf(body);
        const i = next[list] ?? 0;
        if (!body.tools?.length || i >= calls[list].length)
            return [{ type: 'text', text: 'done' }];
        next[list] = i + 1;
        const call = { type: 'tool_use', id: `toolu_${list}_${i}`, ...calls[list][i] };
        model.asked.push(call);
        return [call];
    }
    function hear(body) {
        for (const { content } of body.messages ?? [])
            for (const block of Array.isArray(content) ? content : [])
                if (block.type === 'tool_result')
                    model.results.set(block.tool_use_id, JSON.stringify(block.content));
    }
    const server = http.createServer(async (request, response) => {
        const chunks = [];
        for await (const chunk of request)
            chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        model.sent += text;
        if (!/\/messages(\?|$)/.test(request.url))
            return response.setHeader('content-type', 'application/json').end('{"input_tokens": 1}');
        const body = JSON.parse(text);
        hear(body);
        const content = blocks(body);
        const message = {
            id: `msg_${messages++}`, type: 'message', role: 'assistant', model: body.model, content,
            stop_reason: content[0].type === 'text' ? 'end_turn' : 'tool_use', stop_sequence: null,
            usage: { input_tokens: 1, output_tokens: 1 },
        };
        if (body.stream)
            response.setHeader('content-type', 'text/event-stream').end(events(message, content));
        else
            response.setHeader('content-type', 'application/json').end(JSON.stringify(message));
    });
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
    model.url = `http://127.0.0.1:${server.address().port}`;
    model.stop = () => server.closeAllConnections();
    return model;
}
