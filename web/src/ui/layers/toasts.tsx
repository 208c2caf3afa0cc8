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
import { useWords } from '../words.ts'
import styles from './layers.module.css'
import { createToasts, type Toast, type ToastList } from './toast-list.ts'

const Toasts = createContext<ToastList | null>(null)

/** Around the page: shows what is said with `useToasts().show` below it. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [list] = useState(createToasts)
  return (
    <Toasts.Provider value={list}>
      {children}
      <ToastRegion list={list} />
    </Toasts.Provider>
  )
}

/** Throws outside of a `ToastProvider`. */
export function useToasts(): ToastList {
  const list = useContext(Toasts)
  if (!list) throw new Error('A toast was shown outside of the ToastProvider')
  return list
}

function ToastRegion({ list }: { readonly list: ToastList }) {
  const words = useWords()
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
      // The second press leads back.
      if (box.contains(document.activeElement)) return leave()
      from.current = document.activeElement
      box.focus()
    }
    window.addEventListener('keydown', reach)
    return () => window.removeEventListener('keydown', reach)
  }, [])
  useEffect(() => {
    // The last one went away under the pointer: no event will tell that it left.
    if (toasts.length === 0) list.hold(false)
  }, [toasts, list])
  const dismiss = ({ id }: Toast) => {
    // Before its button goes, and the focus with it.
    if (toasts.length > 1) region.current?.focus()
    else leave()
    list.dismiss(id)
  }
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={words.notifications}
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
  const words = useWords()
  const icon = ({ info: 'info', ok: 'check', bad: 'alert' } as const)[toast.tone]
  return (
    <div className={cx(styles.toast, styles[toast.tone])}>
      <Icon name={icon} />
      <p>
        {toast.text} {toast.count > 1 && <b>{words.times(toast.count)}</b>}
      </p>
      <IconButton icon="close" label={words.dismiss} onClick={onDismiss} />
    </div>
  )
}
