/** Focuses a row. A distant row is rendered some frames after scrolling, hence the retries. */
export function focusRow(box: Element, index: number, tries = 20): void {
  const row = box.querySelector<HTMLElement>(`[data-index="${index}"] :is(a, [tabindex])`)
  if (row) row.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusRow(box, index, tries - 1))
}

/** Moves the focus from a placeholder to the row that replaces it. */
export function handOn(cell: HTMLElement | null, index: number): void {
  const box = cell?.closest('[role=table]')
  if (box && document.activeElement === cell) queueMicrotask(() => focusRow(box, index))
}
