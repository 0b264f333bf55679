import { render } from 'preact'
import { App } from './app'
import { signIn, takeCode } from './state/session'
import { start } from './state/stream'

// A link of `warder console` also works in a tab that is open: there only the fragment changes.
async function enter() {
  const code = takeCode()
  if (code) await signIn({ code })
  await start()
}

render(<App />, document.getElementById('app')!)
addEventListener('hashchange', () => void (location.hash.startsWith('#login=') && enter()))
void enter()
