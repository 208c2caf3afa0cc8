import { Component, type ReactNode } from 'react'

interface ScrollAnchorProps {
  /** If this changes, rows may have moved. */
  readonly data: unknown
  readonly scroller: { readonly current: HTMLElement | null }
  readonly children: ReactNode
}

interface Anchor {
  readonly id: string
  readonly top: number
}

/**
 * Keeps the row being read, or under the pointer, in place when new data moves the rows. This is a class
 * component because hooks have no equivalent of getSnapshotBeforeUpdate.
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

/** If the page itself scrolls, the browser does scroll anchoring. */
export function isScroller(list: HTMLElement): boolean {
  return list.scrollHeight > list.clientHeight && getComputedStyle(list).overflowY === 'auto'
}

function anchorIn(list: HTMLElement): Anchor | null {
  const edge = list.getBoundingClientRect().top
  const isBelowEdge = (row: Element) => row.getBoundingClientRect().bottom > edge
  const hovered = list.querySelector<HTMLElement>('[data-challenge]:hover')
  // At the top, new rows are allowed to push the list down.
  const first = list.scrollTop > 0 ? [...list.querySelectorAll<HTMLElement>('[data-challenge]')] : []
  const row = hovered ?? first.find(isBelowEdge)
  const id = row?.dataset['challenge']
  return row && id !== undefined ? { id, top: row.getBoundingClientRect().top } : null
}
