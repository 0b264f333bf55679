// One way to talk to the service: JSON, same origin, and a Problem for whatever is not a success.

export class Problem extends Error {
  constructor(
    readonly status: number, // 0: no answer at all
    readonly detail: string,
  ) {
    super(detail)
  }
}

export function detailOf(error: unknown): string {
  return error instanceof Problem ? error.detail : String(error)
}

interface Options {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  body?: unknown
}

async function request(path: string, { method, body }: Options): Promise<Response> {
  const asks: RequestInit = { method: method ?? (body === undefined ? 'GET' : 'POST'), credentials: 'same-origin', cache: 'no-store' }
  if (body !== undefined || asks.method !== 'GET') {
    // Cookies count only together with this type, which no form of another site can send.
    asks.headers = { 'Content-Type': 'application/json' }
    asks.body = body === undefined ? undefined : JSON.stringify(body)
  }
  try {
    return await fetch(path, asks)
  } catch {
    throw new Problem(0, 'The service cannot be reached.')
  }
}

async function problemOf(answer: Response): Promise<Problem> {
  const text = await answer.text()
  try {
    const said = JSON.parse(text)
    return new Problem(answer.status, said.detail ?? said.title ?? `The service answered ${answer.status}.`)
  } catch {
    return new Problem(answer.status, `The service answered ${answer.status}.`)
  }
}

// Who is told that the session is over, whatever was asked.
let onSignedOut = () => {}
export const whenSignedOut = (told: () => void) => {
  onSignedOut = told
}

export async function api<T>(path: string, options: Options = {}): Promise<T> {
  const answer = await request(path, options)
  if (answer.status === 401) onSignedOut()
  if (!answer.ok) throw await problemOf(answer)
  return (answer.status === 204 ? null : await answer.json()) as T
}

export async function apiText(path: string): Promise<string> {
  const answer = await request(path, {})
  if (!answer.ok) throw await problemOf(answer)
  return answer.text()
}
