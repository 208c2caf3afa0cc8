import {
  createContext,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { IconButton } from '../buttons/button.tsx'
import { cx } from '../cx.ts'
import { Icon } from '../icon.tsx'
import { Pennant } from '../marks/pennant.tsx'
import { useUiMessages } from '../ui-messages.ts'
import styles from './layers.module.css'
import { createToasts, type Toast, type ToastList } from './toast-list.ts'

const BLOOD_PX = 40
const ICONS = { info: 'info', ok: 'check', bad: 'alert' } as const

const Toasts = createContext<ToastList | null>(null)

/** Shows the toasts of all descendants that call `useToasts().show`. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [list] = useState(createToasts)
  return (
    <Toasts.Provider value={list}>
      {children}
      <ToastRegion />
    </Toasts.Provider>
  )
}

/** Throws outside a `ToastProvider`. */
export function useToasts(): ToastList {
  const list = useContext(Toasts)
  if (!list) throw new Error('A toast was shown outside of the ToastProvider')
  return list
}

/** Where toasts appear: once on the page and once in each dialog, of which the innermost is usable. */
export function ToastRegion() {
  const list = useContext(Toasts)
  return list && <Region list={list} />
}

function Region({ list }: { readonly list: ToastList }) {
  const messages = useUiMessages()
  const region = useRef<HTMLElement>(null)
  const toasts = useSyncExternalStore(list.subscribe, list.read)
  const from = useRef<Element>(null)
  const leave = () => {
    if (from.current instanceof HTMLElement) from.current.focus()
  }
  useEffect(() => {
    const reach = (event: KeyboardEvent) => {
      const box = region.current
      if (event.key !== 'F6' || !box?.childElementCount) return
      event.preventDefault()
      // Pressing F6 again returns the focus.
      if (box.contains(document.activeElement)) return leave()
      from.current = document.activeElement
      box.focus()
    }
    window.addEventListener('keydown', reach)
    return () => window.removeEventListener('keydown', reach)
  }, [])
  useEffect(() => {
    // A toast that is removed under the pointer fires no pointerleave event.
    if (toasts.length === 0) list.hold(false)
  }, [toasts, list])
  const dismiss = ({ id }: Toast) => {
    // Move the focus before its button is removed.
    if (toasts.length > 1) region.current?.focus()
    else leave()
    list.dismiss(id)
  }
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={messages.notifications}
      aria-live="polite"
      className={styles.toasts}
      onPointerEnter={() => list.hold(true)}
      onPointerLeave={() => list.hold(false)}
      onFocus={() => list.hold(true)}
      onBlur={() => list.hold(false)}
    >
      {toasts.map((toast) => (
        <ToastRow key={toast.id} toast={toast} onDismiss={() => dismiss(toast)} />
      ))}
    </section>
  )
}

function ToastRow({ toast, onDismiss }: { readonly toast: Toast; readonly onDismiss: () => void }) {
  const messages = useUiMessages()
  return (
    <div className={cx(styles.toast, styles[toast.tone])}>
      {toast.tone === 'blood' ? (
        <Pennant sign="blood1" size={BLOOD_PX} hidden />
      ) : (
        <Icon name={ICONS[toast.tone]} />
      )}
      <div className={styles.toastText}>
        {toast.title !== undefined && <p className={styles.toastTitle}>{toast.title}</p>}
        <p>
          {toast.text} {toast.count > 1 && <b>{messages.times(toast.count)}</b>}
        </p>
        {toast.note !== undefined && <p className={styles.toastNote}>{toast.note}</p>}
      </div>
      <IconButton icon="close" label={messages.dismiss} onClick={onDismiss} />
    </div>
  )
}
