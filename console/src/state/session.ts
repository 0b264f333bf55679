// Who is looking. A one-time code (in the fragment, which no server or proxy sees) or a token is exchanged for a session
// cookie that scripts cannot read; neither is kept.
import { signal } from '@preact/signals'
import { api, Problem, whenSignedOut } from '../api'
import type { Me } from '../types'
import { setServiceTime } from './clock'

export const me = signal<Me | null>(null)
export const signedOut = signal(false)
export const signInProblem = signal('')

// What was loaded for one person, and the answers that still wait, are not for who sits here next: each part of the state says
// how it forgets them. `person` counts, for what is on its way and for views that have read something.
export const person = signal(0)
const forgets: (() => void)[] = []
export const whenPersonLeaves = (forget: () => void) => void forgets.push(forget)

function forgetAll() {
  person.value++
  for (const forget of forgets) forget()
}

// endSession: it was revoked or is too old.
function endSession() {
  if (me.value) signInProblem.value ||= 'Your session has ended.'
  me.value = null
  signedOut.value = true
  forgetAll()
}
whenSignedOut(endSession)

export async function loadMe() {
  const answer = await api<Me>('/v1/me')
  setServiceTime(answer.now)
  if (me.value && (me.value.name !== answer.name || me.value.role !== answer.role)) forgetAll()
  me.value = answer
  signedOut.value = false
}

// All tabs share the cookie: another tab that signs somebody in changes who this one is.
const SIGNED_IN = 'warder.signed-in'

function tellOtherTabs() {
  try {
    localStorage.setItem(SIGNED_IN, String(Date.now()))
  } catch {
    // A window without storage has no other tabs to tell.
  }
}

export const whenOtherTabSignsIn = (told: () => void) => addEventListener('storage', event => event.key === SIGNED_IN && told())

export async function signIn(proof: { code: string } | { token: string }): Promise<boolean> {
  forgetAll()
  try {
    await api('/v1/login', { body: proof })
    tellOtherTabs()
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
