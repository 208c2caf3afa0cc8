/** A row that was far away is drawn with the frame after the scrolling. */
export function focusRow(box: Element, index: number, tries = 3): void {
  const row = box.querySelector<HTMLElement>(`[data-index="${index}"] :is(a, [tabindex])`)
  if (row) row.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusRow(box, index, tries - 1))
}

/** What stands for a row until it comes is about to go: the row that takes its place takes the focus that it had. */
export function handOn(cell: HTMLElement | null, index: number): void {
  const box = cell?.closest('[role=table]')
  if (box && document.activeElement === cell) queueMicrotask(() => focusRow(box, index))
}
