import { Tabs as MantineTabs } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { useEffect, useRef, type ReactNode } from 'react'
import { cx } from '../cx.ts'
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
  const shown = tabs.some(({ id }) => id === value) ? value : (tabs[0]?.id ?? null)
  const list = useShownTab(shown)
  return (
    <MantineTabs
      value={shown}
      onChange={(id) => id !== null && onChange(id)}
      keepMounted={keep}
      variant="none"
    >
      <MantineTabs.List ref={list} aria-label={label} className={cx(styles.tablist)}>
        {tabs.map(({ id, label: name }) => (
          <MantineTabs.Tab key={id} value={id} className={cx(styles.tab)}>
            {name}
          </MantineTabs.Tab>
        ))}
      </MantineTabs.List>
      {tabs.map(({ id, content }) => (
        <MantineTabs.Panel key={id} value={id} className={cx(styles.tabPanel)}>
          {content}
        </MantineTabs.Panel>
      ))}
    </MantineTabs>
  )
}

/** Scrolls the tab list so that the selected tab is visible, without scrolling the page. */
function useShownTab(shown: string | null) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector('[data-active]')
    if (!list.current || !tab) return
    const [room, place] = [list.current.getBoundingClientRect(), tab.getBoundingClientRect()]
    const before = Math.min(0, place.left - room.left)
    list.current.scrollLeft += before || Math.max(0, place.right - room.right)
  }, [shown])
  return list
}
