import { EditorView } from '@codemirror/view'

/**
 * Typing over a selection. Left to the browser, that keeps the look of what stood there in a `style` attribute, which the
 * site's policy refuses.
 */
export const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data: text, inputType } = event
    const { from, to, empty } = view.state.selection.main
    if (inputType !== 'insertText' || text === null || empty || view.composing) return false
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
    return true
  },
})
