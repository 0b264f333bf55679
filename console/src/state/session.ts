// Who is looking. A one-time code (in the fragment, which no server or proxy sees) or a token is exchanged for a session
// cookie that scripts cannot read; neither is kept.
import { signal } from '@preact/signals'
import { api, Problem } from '../api'
import type { Me } from '../types'
import { setServiceTime } from './clock'

export const me = signal<Me | null>(null)
export const signedOut = signal(false)
export const signInProblem = signal('')

export async function loadMe() {
  try {
    const answer = await api<Me>('/v1/me')
    setServiceTime(answer.now)
    me.value = answer
    signedOut.value = false
  } catch (error) {
    if (error instanceof Problem && error.status === 401) {
      me.value = null
      signedOut.value = true
    }
    throw error
  }
}

export async function signIn(proof: { code: string } | { token: string }): Promise<boolean> {
  try {
    await api('/v1/login', { body: proof })
    signInProblem.value = ''
    return true
  } catch (error) {
    signInProblem.value = error instanceof Problem ? error.detail : String(error)
    return false
  }
}

// The code leaves the address before it is used: it must not stay in the history.
export function takeCode(): string | null {
  const code = /^#login=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1] ?? null
  if (code) history.replaceState(null, '', location.pathname + '#/reviews')
  return code
}

export async function signOut() {
  await api('/v1/logout', { method: 'POST', body: {} }).catch(() => {})
  location.reload()
}
