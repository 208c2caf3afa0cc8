import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './layers.module.css'

export interface Tab {
  readonly id: string
  readonly label: ReactNode
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** Stored by the caller, in the URL. An unknown value shows the first tab. */
  readonly value: string
  readonly onChange: (id: string) => void
  /** Keep panels mounted, with their scroll position and typed text. */
  readonly keep?: boolean
}

/** Tabs; arrow keys move between them. */
export function Tabs({ label, tabs, value, onChange, keep = true }: TabsProps) {
  const prefix = useId()
  const found = tabs.findIndex(({ id }) => id === value)
  const at = Math.max(found, 0)
  const list = useShownTab(at)
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = nextTab(event.key, at, tabs.length)
    if (next === undefined) return
    event.preventDefault()
    event.currentTarget.querySelectorAll('button')[next]?.focus()
    onChange(tabs[next]?.id ?? value)
  }
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={styles.tablist} onKeyDown={handleKey}>
        {tabs.map(({ id, label: name }, index) => (
          <button
            key={id}
            id={`${prefix}-${id}`}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls={`${prefix}-${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            className={styles.tab}
            onClick={() => onChange(id)}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ id, content }, index) => (
        <div
          key={id}
          id={`${prefix}-${id}-panel`}
          role="tabpanel"
          aria-labelledby={`${prefix}-${id}`}
          hidden={index !== at}
          className={styles.tabPanel}
        >
          {(keep || index === at) && content}
        </div>
      ))}
    </div>
  )
}

function nextTab(key: string, at: number, count: number): number | undefined {
  const forward = document.documentElement.dir === 'rtl' ? -1 : 1
  const step = { ArrowRight: forward, ArrowLeft: -forward }[key]
  if (step !== undefined) return (at + step + count) % count
  return { Home: 0, End: count - 1 }[key]
}

/** Scrolls the tab list so that the selected tab is visible, without scrolling the page. */
function useShownTab(shown: number) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected=true]')
    if (!list.current || !tab) return
    const [room, place] = [list.current.getBoundingClientRect(), tab.getBoundingClientRect()]
    const before = Math.min(0, place.left - room.left)
    list.current.scrollLeft += before || Math.max(0, place.right - room.right)
  }, [shown])
  return list
}
