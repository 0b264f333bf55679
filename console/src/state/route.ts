// Where we are: #/VIEW/REST?QUERY. The link of a notice is #/reviews/ID.
import { signal } from '@preact/signals'

export interface Route {
  view: string
  rest: string
  query: URLSearchParams
}

function read(): Route {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  const [view, ...rest] = path.split('/')
  return { view: view || 'reviews', rest: decode(rest.join('/')), query: new URLSearchParams(query) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const route = signal(read())
addEventListener('hashchange', () => {
  route.value = read()
})

export const href = (view: string, rest = '', query?: Record<string, string>) =>
  `#/${view}${rest && '/' + encodeURIComponent(rest)}${query ? '?' + new URLSearchParams(query) : ''}`

export function go(view: string, rest = '') {
  location.hash = href(view, rest)
}
