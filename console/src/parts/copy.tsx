// Copies the true text, whatever it looks like.
import { toast } from '../state/toasts'

export function CopyButton({ text }: { text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast('Copied.', 'plain', 2000),
      () => toast('The browser did not let it be copied.', 'ask'),
    )
  return <button class="quiet" onClick={copy}>Copy</button>
}
