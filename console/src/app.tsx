// The frame: side bar or tabs, the view, dialogs, and messages.
import { useEffect, useState } from 'preact/hooks'
import { leaving } from './state/answers'
import { link, lostSince } from './state/connection'
import { now } from './state/clock'
import { shortcutsOn } from './state/prefs'
import { pending, queue } from './state/reviews'
import { go, route } from './state/route'
import { answerLink, me, person, signedOut } from './state/session'
import { tryNow } from './state/stream'
import { dismiss, toasts } from './state/toasts'
import { span } from './text/time'
import { headlineOf } from './text/words'
import { Dialog } from './parts/dialog'
import { Guarded } from './parts/guarded'
import { DESK, hasModifier, isTyping, useWide } from './parts/hooks'
import { Icon, Kbd } from './parts/icon'
import { Text } from './parts/text'
import { Agents } from './views/agents'
import { AnswerByLink } from './views/answerlink'
import { UndoButton } from './views/answerbar'
import { Decisions } from './views/decisions'
import { GoTo, Settings, Shortcuts } from './views/dialogs'
import { ON_TABS, views } from './views/frame'
import { Health } from './views/health'
import { Playground } from './views/playground'
import { Reviews } from './views/reviews'
import { Rules } from './views/rules'
import { SignIn } from './views/signin'

type Open = 'shortcuts' | 'settings' | 'goto' | 'more' | null
const G_LASTS = 900 // ms

export function App() {
  const [open, setOpen] = useState<Open>(null)
  const wide = useWide(DESK)
  const { view, rest } = route.value
  const waiting = pending.value.length
  const title = views.find(v => v.name === view)?.title ?? 'Reviews'
  const onReview = !wide && view === 'reviews' && !!rest
  useEffect(() => {
    document.title = `${waiting ? `(${waiting}) ` : ''}${title} · Warder`
  }, [waiting, title])
  useFrameKeys(setOpen)

  if (answerLink.value) return <AnswerByLink key={answerLink.value} link={answerLink.value} />
  if (signedOut.value) return <SignIn />
  return (
    <div class={`app ${onReview ? 'on-review' : ''}`}>
      <a class="skip" href="#main" onClick={event => (event.preventDefault(), document.getElementById('main')?.focus())}>Skip to content</a>
      {wide && <Side view={view} waiting={waiting} open={setOpen} />}
      <main id="main" tabIndex={-1}>
        {link.value === 'lost' && me.value && <LostBar />}
        <Guarded key={`${view} ${person.value}`} what={title}><CurrentView view={view} rest={rest} /></Guarded>
      </main>
      {!wide && !onReview && <Tabs view={view} waiting={waiting} more={() => setOpen('more')} />}
      <Toasts shownReview={view === 'reviews' ? rest : ''} />
      {open === 'shortcuts' && <Dialog label="Shortcuts" close={() => setOpen(null)}><Shortcuts /></Dialog>}
      {open === 'settings' && <Dialog label="Settings" close={() => setOpen(null)}><Settings /></Dialog>}
      {open === 'goto' && <Dialog label="Go to" close={() => setOpen(null)}><GoTo close={() => setOpen(null)} /></Dialog>}
      {open === 'more' && <Dialog label="More" close={() => setOpen(null)}><More close={() => setOpen(null)} /></Dialog>}
    </div>
  )
}

function CurrentView({ view, rest }: { view: string; rest: string }) {
  switch (view) {
    case 'decisions': return <Decisions />
    case 'rules': return <Rules id={rest} />
    case 'try': return <Playground initial={rest} />
    case 'agents': return <Agents />
    case 'health': return <Health />
    default: return <Reviews id={rest} />
  }
}

function useFrameKeys(open: (what: Open) => void) {
  useEffect(() => {
    let g = 0
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault()
        return open('goto')
      }
      if (!shortcutsOn.value || hasModifier(event) || isTyping(event)) return
      const target = Date.now() - g < G_LASTS ? views.find(v => v.key === event.key) : undefined
      g = event.key === 'g' ? Date.now() : 0
      if (target) {
        event.stopImmediatePropagation() // `g a` goes to the agents and approves nothing
        go(target.name)
      } else if (event.key === '?') open('shortcuts')
    }
    addEventListener('keydown', pressed, true)
    return () => removeEventListener('keydown', pressed, true)
  }, [])
}

const linkWord = { live: 'connected', lost: 'disconnected', connecting: 'connecting' }

function Side({ view, waiting, open }: { view: string; waiting: number; open: (what: Open) => void }) {
  return (
    <nav class="side" aria-label="Views">
      <a class="brand" href="#/reviews"><img src="icon.svg" alt="" width="24" height="24" /><b>Warder</b></a>
      {views.map(v => (
        <a class={`nav ${view === v.name ? 'on' : ''}`} href={`#/${v.name}`} aria-current={view === v.name ? 'page' : undefined} title={v.title}>
          <Icon name={v.icon} size={18} /><span class="nav-text">{v.title}</span>{v.name === 'reviews' && <Badge n={waiting} />}
        </a>
      ))}
      <span class="grow" />
      <button class="nav" title="Go to…" onClick={() => open('goto')}><Icon name="search" size={18} /><span class="nav-text">Go to…</span><Kbd keys="Ctrl K" /></button>
      <button class="nav" title="Shortcuts" onClick={() => open('shortcuts')}><Icon name="keyboard" size={18} /><span class="nav-text">Shortcuts</span><Kbd keys="?" /></button>
      <button class="nav" title="Settings" onClick={() => open('settings')}><Icon name="gear" size={18} /><span class="nav-text">Settings</span></button>
      <div class="who">
        <i class={`link-dot ${link.value}`} />
        <span class="nav-text"><b><Text text={me.value?.name ?? '…'} /></b> <span class="dim">{me.value?.role}</span></span>
        <span class="nav-text dim" role="status">{linkWord[link.value]}</span>
      </div>
    </nav>
  )
}

const Badge = ({ n }: { n: number }) => (n > 0 ? <span class="badge"><span class="only-read">, </span>{n}<span class="only-read"> waiting</span></span> : null)

function Tabs({ view, waiting, more }: { view: string; waiting: number; more: () => void }) {
  return (
    <nav class="tabs" aria-label="Views">
      {views.slice(0, ON_TABS).map(v => (
        <a class={view === v.name ? 'on' : ''} href={`#/${v.name}`} aria-current={view === v.name ? 'page' : undefined}>
          <span class="tab-icon"><Icon name={v.icon} size={22} />{v.name === 'reviews' && <Badge n={waiting} />}</span><span>{v.title}</span>
        </a>
      ))}
      <button onClick={more}><span class="tab-icon"><Icon name="more" size={22} /></span><span>More</span></button>
    </nav>
  )
}

const More = ({ close }: { close: () => void }) => (
  <div class="more">
    {views.slice(ON_TABS).map(v => <a href={`#/${v.name}`} onClick={close}><Icon name={v.icon} size={20} /> {v.title}</a>)}
    <p class="dim">{me.value && <><Text text={me.value.name ?? 'no name'} />, {me.value.role}, {linkWord[link.value]}</>}</p>
    <Settings />
  </div>
)

function LostBar() {
  const away = now.value && Date.now() - lostSince.value
  return (
    <div class="lost-bar" role="alert">
      <Icon name="plug" />
      <span><b>Disconnected{away > 5000 && ` for ${span(away)}`}.</b> What you see may be old; answers are off until it is back.</span>
      <button class="small" onClick={tryNow}>Try now</button>
    </div>
  )
}

// An answer that waits stays within reach when another review has taken its place.
function Toasts({ shownReview }: { shownReview: string }) {
  const waits = Object.entries(leaving.value).filter(([id, what]) => id !== shownReview && what !== 'deny')
  return (
    <div class="toasts" aria-live="polite">
      {waits.map(([id]) => {
        const review = queue.value.find(r => r.id === id)
        return <div class="toast allow" key={id}><span>Approving: <Text text={review ? headlineOf(review) : id} /></span><UndoButton id={id} undone={() => go('reviews', id)} /></div>
      })}
      {toasts.value.map(t => (
        <div class={`toast ${t.tone}`} key={t.id}><span><Text text={t.text} /></span><button class="quiet" aria-label="Dismiss" onClick={() => dismiss(t.id)}><Icon name="cross" size={14} /></button></div>
      ))}
    </div>
  )
}
