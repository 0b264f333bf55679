// Before anybody is signed in. `warder console` opens the page with a one-time code; pasting a token is the second way.
import { useState } from 'preact/hooks'
import { signIn, signInProblem } from '../state/session'
import { tryNow } from '../state/stream'
import { Notice } from '../parts/states'
import { Text } from '../parts/text'

export function SignIn() {
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    if (await signIn({ token: token.trim() })) tryNow()
    setToken('')
    setBusy(false)
  }
  return (
    <main class="sign-in" id="main">
      <img src="icon.svg" alt="" width="44" height="44" />
      <h1>Sign in to Warder</h1>
      {signInProblem.value && <Notice icon="warning" tone="ask" alert><Text text={signInProblem.value} /></Notice>}
      <p>On the machine where the service runs, at your own terminal:</p>
      <pre><code>warder console</code></pre>
      <p class="dim">It prints an address that lets this browser in: once, within a minute.</p>
      <form onSubmit={submit}>
        <label class="field">Or paste a token
          <input type="password" autocomplete="off" spellcheck={false} value={token} onInput={e => setToken(e.currentTarget.value)} />
        </label>
        <button class="primary" disabled={busy || !token.trim()}>Sign in</button>
      </form>
      <p class="dim small">The token is exchanged for a session and not kept in the browser.</p>
    </main>
  )
}
