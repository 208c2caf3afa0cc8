/** Pixels that the bars of a scroller take, which is nothing on some systems. Its borders are equal. */
export function scrollbarsPx(box: HTMLElement | null): { readonly side: number; readonly bottom: number } {
  if (!box) return { side: 0, bottom: 0 }
  const borders = 2 * box.clientTop
  return {
    side: box.offsetWidth - box.clientWidth - borders,
    bottom: box.offsetHeight - box.clientHeight - borders,
  }
}
