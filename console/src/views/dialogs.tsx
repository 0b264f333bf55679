// What opens over the page: the list of shortcuts, the settings, and "go to".
import { useState } from 'preact/hooks'
import { density, graveBy, noticesOn, shortcutsOn, theme } from '../state/prefs'
import { askForNotices, noticesPossible } from '../state/notices'
import { pending } from '../state/reviews'
import { go } from '../state/route'
import { signOut } from '../state/session'
import { headlineOf } from '../text/words'
import { Choice } from '../parts/choice'
import { Kbd } from '../parts/icon'
import { Text } from '../parts/text'
import { views } from './frame'

const shortcuts: [string, [string, string][]][] = [
  ['Everywhere', [...views.map(v => [`g ${v.key}`, v.title] as [string, string]), ['Ctrl K', 'Go to…'], ['?', 'This list']]],
  ['A review', [['j k', 'Next, previous'], ['a', 'Approve once; hold it for what is grave'], ['d', 'Deny, at once'], ['⇧D', 'Deny with a reason'], ['p', 'Approve and add a rule'], ['z', 'Undo, within two seconds']]],
  ['Decisions', [['/', 'Search'], ['j k', 'Next, previous'], ['l', 'Pause, resume'], ['Esc', 'Close']]],
]

export const Shortcuts = () => (
  <div class="sheet">
    <h2>Shortcuts</h2>
    <div class="shortcuts">
      {shortcuts.map(([title, rows]) => (
        <section>
          <h3>{title}</h3>
          <dl>{rows.map(([keys, what]) => <><dt>{keys.split(' ').map(k => <Kbd keys={k} />)}<span class="only-read">{keys}</span></dt><dd>{what}</dd></>)}</dl>
        </section>
      ))}
    </div>
    <p class="dim">No key answers for 0.7 s after a review comes into view or the window gets the focus, nor while you type. Enter alone never approves.</p>
  </div>
)

export const Settings = () => (
  <div class="sheet">
    <h2>Settings <span class="count">on this device</span></h2>
    <div class="field">Theme<Choice label="Theme" wide value={theme.value} onPick={v => (theme.value = v)} options={[['auto', 'as the system'], ['light', 'light'], ['dark', 'dark']]} /></div>
    <div class="field">Rows<Choice label="Rows" wide value={density.value} onPick={v => (density.value = v)} options={[['roomy', 'roomy'], ['dense', 'dense']]} /></div>
    <div class="field">Grave approvals<Choice label="Grave approvals" wide value={graveBy.value} onPick={v => (graveBy.value = v)} options={[['hold', 'hold the key or button'], ['enter', 'a, then Enter']]} /></div>
    <label class="check"><input type="checkbox" checked={shortcutsOn.value} onChange={e => (shortcutsOn.value = e.currentTarget.checked)} /> Shortcuts of one key</label>
    {noticesPossible() && <label class="check"><input type="checkbox" checked={noticesOn.value} onChange={e => void askForNotices(e.currentTarget.checked)} /> Tell me of new reviews while this page is open</label>}
    <button onClick={() => void signOut()}>Sign out</button>
  </div>
)

interface Place {
  title: string
  kind: string
  open: () => void
}

function places(): Place[] {
  return [
    ...views.map(v => ({ title: v.title, kind: 'view', open: () => go(v.name) })),
    ...pending.value.slice(0, 100).map(r => ({ title: `${r.worker_id ?? 'An agent'}: ${headlineOf(r)}`, kind: 'review', open: () => go('reviews', r.id) })),
    { title: 'New rule', kind: 'do', open: () => go('rules', 'new') },
    { title: 'Light theme', kind: 'set', open: () => (theme.value = 'light') },
    { title: 'Dark theme', kind: 'set', open: () => (theme.value = 'dark') },
  ]
}

const SHOWN = 9

export function GoTo({ close }: { close: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = places().filter(p => p.title.toLowerCase().includes(text.toLowerCase())).slice(0, SHOWN)
  const choose = (place: Place | undefined) => {
    if (!place) return
    close()
    place.open()
  }
  const pressed = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by) {
      event.preventDefault()
      setAt(Math.max(0, Math.min(found.length - 1, at + by)))
    } else if (event.key === 'Enter') choose(found[at])
  }
  return (
    <div class="go-to">
      <input autofocus value={text} role="combobox" aria-label="Go to" aria-expanded="true" aria-controls="places" aria-activedescendant={found[at] && `place-${at}`}
        placeholder="Go to a view or a review" onKeyDown={pressed} onInput={e => (setText(e.currentTarget.value), setAt(0))} />
      <ul id="places" role="listbox" aria-label="Places">
        {found.map((p, i) => <li id={`place-${i}`} role="option" aria-selected={i === at} onClick={() => choose(p)}><span><Text text={p.title} /></span><span class="dim">{p.kind}</span></li>)}
      </ul>
    </div>
  )
}
