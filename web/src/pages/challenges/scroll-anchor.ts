import { Component, type ReactNode } from 'react'

interface ScrollAnchorProps {
  /** When this is another, the rows may stand elsewhere. */
  readonly data: unknown
  readonly scroller: { readonly current: HTMLElement | null }
  readonly children: ReactNode
}

interface Anchor {
  readonly id: string
  readonly top: number
}

/**
 * Keeps what is read, or lies under the pointer, where it is while new data moves the rows. A class: no hook is called
 * between the last look at the old rows and the new ones.
 */
export class ScrollAnchor extends Component<ScrollAnchorProps> {
  override getSnapshotBeforeUpdate(before: ScrollAnchorProps): Anchor | null {
    const list = this.props.scroller.current
    if (!list || before.data === this.props.data || !isScroller(list)) return null
    return anchorIn(list)
  }

  override componentDidUpdate(_: ScrollAnchorProps, __: unknown, anchor: Anchor | null): void {
    const list = this.props.scroller.current
    if (!anchor || !list) return
    const row = list.querySelector(`[data-challenge="${CSS.escape(anchor.id)}"]`)
    if (row) list.scrollTop += row.getBoundingClientRect().top - anchor.top
  }

  override render(): ReactNode {
    return this.props.children
  }
}

/** Where the page itself scrolls, browsers do this. */
export function isScroller(list: HTMLElement): boolean {
  return list.scrollHeight > list.clientHeight && getComputedStyle(list).overflowY === 'auto'
}

function anchorIn(list: HTMLElement): Anchor | null {
  const edge = list.getBoundingClientRect().top
  const isBelowEdge = (row: Element) => row.getBoundingClientRect().bottom > edge
  const hovered = list.querySelector<HTMLElement>('[data-challenge]:hover')
  // At its top nothing is read yet: new rows may come in above.
  const first = list.scrollTop > 0 ? [...list.querySelectorAll<HTMLElement>('[data-challenge]')] : []
  const row = hovered ?? first.find(isBelowEdge)
  const id = row?.dataset['challenge']
  return row && id !== undefined ? { id, top: row.getBoundingClientRect().top } : null
}
