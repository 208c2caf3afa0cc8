/** The first field takes the focus, but not on touch, where the keyboard would cover the page. */
export const focusesFirst = matchMedia('(hover: hover) and (pointer: fine)').matches
