import { render } from 'preact'
import { App } from './app'
import { answerLink, signIn, takeCode, takeLink } from './state/session'
import { start } from './state/stream'

// A link of `warder console` or of a notice also works in a tab that is open: there only the fragment changes.
async function enter() {
  const link = takeLink()
  if (link) {
    answerLink.value = link
    return
  }
  const code = takeCode()
  if (code) await signIn({ code })
  await start()
}

render(<App />, document.getElementById('app')!)
addEventListener('hashchange', () => void (/^#(login|answer)=/.test(location.hash) && enter()))
void enter()
