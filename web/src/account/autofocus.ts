/** Whether to focus the first field. Not on touch devices, where the keyboard would cover the page. */
export const focusesFirst = matchMedia('(hover: hover) and (pointer: fine)').matches
