// Who is looking. A one-time code (in the fragment, which no server or proxy sees) or a token is exchanged for a session
// cookie that scripts cannot read; neither is kept.
import { signal } from '@preact/signals'
import { api, Problem, whenSignedOut } from '../api'
import type { Me } from '../types'
import { setServiceTime } from './clock'

export const me = signal<Me | null>(null)
export const signedOut = signal(false)
export const signInProblem = signal('')

// endSession: it was revoked or is too old. What it had loaded is not for who sits here next.
function endSession() {
  if (me.value) signInProblem.value ||= 'Your session has ended.'
  me.value = null
  signedOut.value = true
}
whenSignedOut(endSession)

export async function loadMe() {
  const answer = await api<Me>('/v1/me')
  setServiceTime(answer.now)
  me.value = answer
  signedOut.value = false
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

// A code, or the link of a notice, leaves the address before it is used: it must not stay in the history.
function takeFragment(form: RegExp): string | null {
  const found = form.exec(location.hash)?.[1] ?? null
  if (found) history.replaceState(null, '', location.pathname + '#/reviews')
  return found
}

export const takeCode = () => takeFragment(/^#login=([A-Za-z0-9_-]+)$/)
export const takeLink = () => takeFragment(/^#answer=([A-Za-z0-9_.-]+)$/)

export const answerLink = signal('') // the link of a notice; nobody need be signed in to use it

export async function signOut() {
  await api('/v1/logout', { method: 'POST', body: {} }).catch(() => {})
  location.reload()
}
