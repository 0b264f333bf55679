// What cannot be drawn must not take the rest of the page with it: somebody may have made it so.
import { Component, type ComponentChildren } from 'preact'
import { Empty } from './states'

interface Props {
  what: string
  children: ComponentChildren
}

export class Guarded extends Component<Props, { broken: boolean }> {
  override state = { broken: false }
  override componentDidCatch(error: unknown) {
    console.error(error)
    this.setState({ broken: true })
  }
  override render({ what, children }: Props) {
    if (!this.state.broken) return children
    return (
      <Empty icon="warning" title={`${what} cannot be drawn`} bad>
        <p>That is a mistake of this page. What agents ask still waits, and is denied when its time is over.</p>
        <button onClick={() => location.reload()}>Load the page again</button>
      </Empty>
    )
  }
}
