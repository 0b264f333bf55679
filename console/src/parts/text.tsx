// Words of a stranger: a command, a name, a task, a rule. They are only ever text, and characters that mislead are named.
import { isPlain, parts, UNKNOWN_VALUE } from '../text/odd'
import { counted } from '../text/time'

const SHOWN_MAX = 2000 // characters of a name or a sentence; each may need an element of its own

export const ROW_MAX = 200 // in a list

// `max`: where a row has less room, or where somebody asked for all of it.
export function Text({ text, max = SHOWN_MAX }: { text: string; max?: number }) {
  const left = text.length - max
  if (left > 0) return <><Text text={text.slice(0, max)} max={max} /> <span class="odd unseen">{counted(left, 'more character')}</span></>
  if (isPlain(text)) return <>{text}</>
  return (
    <>
      {parts(text).map(({ text: t, odd }) =>
        !odd ? (
          <Known text={t} />
        ) : odd.kind !== 'twin' ? (
          <span class="odd unseen" title={odd.kind === 'gap' ? 'nothing but these' : 'a character that cannot be seen'}>{odd.name}</span>
        ) : (
          <span class="odd" title={`not the letter it looks like: ${odd.name}`}>{t}</span>
        ),
      )}
    </>
  )
}

// Sentence: a headline, in which names like edge-1 are not broken at their hyphen.
const SENTENCE_MAX = 300
const WORD_MAX = 25

export function Sentence({ text }: { text: string }) {
  if (text.length > SENTENCE_MAX || !isPlain(text)) return <Text text={text} />
  return <>{text.split(/( )/).map(word => (word.includes('-') && word.length <= WORD_MAX ? <span class="unbroken">{word}</span> : word))}</>
}

function Known({ text }: { text: string }) {
  if (!text.includes(UNKNOWN_VALUE)) return <>{text}</>
  return (
    <>
      {text.split(UNKNOWN_VALUE).map((t, i) => (
        <>
          {i > 0 && <span class="unknown-value" title="not known before it runs">?</span>}
          {t}
        </>
      ))}
    </>
  )
}
