// A modal dialog of the browser: it keeps the focus, and Escape closes it.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function Dialog({ label, close, children }: { label: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current!.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-label={label} onClose={close} onClick={e => e.target === dialog.current && close()}>
      {children}
    </dialog>
  )
}
