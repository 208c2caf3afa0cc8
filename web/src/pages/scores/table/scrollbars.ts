/** Width of the scroll bars in pixels, 0 on some systems. Assumes equal borders on all sides. */
export function scrollbarsPx(box: HTMLElement | null): { readonly side: number; readonly bottom: number } {
  if (!box) return { side: 0, bottom: 0 }
  const borders = 2 * box.clientTop
  return {
    side: box.offsetWidth - box.clientWidth - borders,
    bottom: box.offsetHeight - box.clientHeight - borders,
  }
}
