// The keys of the frame for finding, going back and copying: the palette, undo and redo, the picture.
#include "app/ui/imgui_compat.h"
#include "app/ui/letter_keys.h"
#include "app/window/frame.h"

namespace warplens::app {

void Frame::take_finding_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
    if (compat::ctrl_with('K')) palette_.open();
    if (own_ && compat::ctrl_with('O')) dialogs.ask_open();
    if (io.WantTextInput) return;  // there Ctrl+Z is the text's own
    for (const ImWchar typed : io.InputQueueCharacters)
        if (typed == '/') palette_.open();
    if (io.KeyShift && compat::ctrl_with('C') && session_.scene() && !session_.stale())
        state.take_picture = PictureTarget::clipboard;
    if (compat::ctrl_with('Z')) {
        if (io.KeyShift) history.redo(session_);
        else history.undo(session_);
    }
}

}  // namespace warplens::app
