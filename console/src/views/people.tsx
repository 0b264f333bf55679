// Who is signed in, and the tokens that let people and workers in: each can be ended here, at once and for every open page.
import { useState } from 'preact/hooks'
import { api, detailOf } from '../api'
import type { Browser, Token } from '../types'
import { now } from '../state/clock'
import { toast } from '../state/toasts'
import { plainly } from '../text/odd'
import { ago, moment } from '../text/time'
import { useFetched } from '../parts/hooks'
import { Text } from '../parts/text'

export function People() {
  const browsers = useFetched<{ sessions: Browser[]; current?: string }>('/v1/sessions/browser')
  const tokens = useFetched<{ tokens: Token[] }>('/v1/tokens')
  const again = () => {
    browsers.again()
    tokens.again()
  }
  const inForce = tokens.data?.tokens.filter(t => !t.kind && !t.revoked_at) ?? []
  const nameOf = (from: string) => inForce.find(t => t.id === from)?.name ?? from
  return (
    <div class="people">
      {browsers.data && (
        <section aria-labelledby="browsers">
          <h2 id="browsers">Signed-in browsers</h2>
          <ul>
            {browsers.data.sessions.map(b => (
              <li key={b.id}>
                <span class="person"><b><Text text={b.name || 'no name'} /></b> <span class="dim">{b.role}{b.id === browsers.data!.current && ', this browser'}</span></span>
                <span class="dim">signed in {ago(b.created_at, now.value)}, until {moment(b.expires_at)}, by <Text text={nameOf(b.from)} /></span>
                <EndButton path={`/v1/sessions/browser/${b.id}`} label="End" sure="End it?" what={`the session of ${b.name || 'no name'}`} done={again} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {tokens.data && (
        <section aria-labelledby="tokens">
          <h2 id="tokens">Tokens</h2>
          <ul>
            {inForce.map(t => (
              <li key={t.id}>
                <span class="person"><b><Text text={t.name || 'no name'} /></b> <span class="dim">{t.role}</span></span>
                <span class="dim"><code>{t.id}</code>, made {ago(t.created_at, now.value)}</span>
                <EndButton path={`/v1/tokens/${t.id}`} label="Revoke" sure="Revoke it and its sessions?" what={`the token ${t.name || t.id}`} done={again} />
              </li>
            ))}
          </ul>
          {inForce.length === 0 && <p class="dim">There are none: people come in by `warder console`, agents on this machine by its socket.</p>}
        </section>
      )}
    </div>
  )
}

// Two presses: the first says what the second does.
function EndButton({ path, label, sure, what, done }: { path: string; label: string; sure: string; what: string; done: () => void }) {
  const [asked, setAsked] = useState(false)
  const end = async () => {
    if (!asked) return setAsked(true)
    try {
      await api(path, { method: 'DELETE' })
      toast(`Ended: ${what}.`, 'plain')
      done()
    } catch (error) {
      toast(detailOf(error), 'deny', 8000)
    }
    setAsked(false)
  }
  return <button class={`small ${asked ? 'danger on' : ''}`} aria-label={plainly(`${label} ${what}`)} onClick={() => void end()}>{asked ? sure : label}</button>
}
