import { useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import { qrPath } from '../../account/qr-path.ts'
import { useConfig } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import styles from './registration.module.css'

/** Fallback that removes the sheet if the browser never fires `afterprint`. */
const MAX_PRINTING_MS = 120_000

export interface Slip {
  readonly id: string
  /** Where its QR code leads. */
  readonly link: string
  readonly name: string
  readonly note: string
}

interface SheetProps {
  readonly title: string
  /** On each slip. */
  readonly about: string
  readonly slips: readonly Slip[]
  readonly onDone: () => void
}

export function registerLink(code: string): string {
  return `${location.origin}${paths.register()}?${new URLSearchParams({ code })}`
}

/** Slips to cut out, black on white; opens the system's print dialog. */
export function Sheet({ title, about, slips, onDone }: SheetProps) {
  const event = useConfig()?.ctfName
  const finish = useEffectEvent(onDone)
  useEffect(() => {
    const end = () => finish()
    addEventListener('afterprint', end)
    const timer = setTimeout(end, MAX_PRINTING_MS)
    print()
    return () => {
      removeEventListener('afterprint', end)
      clearTimeout(timer)
    }
  }, [])
  return createPortal(
    <section className={styles.paper} aria-label={title}>
      {slips.map((slip) => (
        <article key={slip.id} className={styles.slip}>
          <Qr text={slip.link} />
          <div>
            <p>{event}</p>
            <h3>
              <bdi>{slip.name}</bdi>
            </h3>
            <p>{about}</p>
            <p>
              <bdi>{slip.note}</bdi>
            </p>
          </div>
        </article>
      ))}
    </section>,
    document.body,
  )
}

function Qr({ text }: { readonly text: string }) {
  const { size, path } = qrPath(text)
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className={styles.qr} aria-hidden="true">
      <path d={path} fill="currentColor" />
    </svg>
  )
}
