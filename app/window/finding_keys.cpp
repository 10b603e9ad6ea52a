// The keys of the frame for finding and going back: the palette, undo and redo.
#include "app/ui/imgui_compat.h"
#include "app/ui/letter_keys.h"
#include "app/window/frame.h"

namespace warplens::app {

void Frame::take_finding_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) return;
    if (compat::ctrl_with('K')) palette_.open();
    if (io.WantTextInput) return;  // there Ctrl+Z is the text's own
    for (const ImWchar typed : io.InputQueueCharacters)
        if (typed == '/') palette_.open();
    if (compat::ctrl_with('Z')) {
        if (io.KeyShift) history.redo(session_);
        else history.undo(session_);
    }
}

}  // namespace warplens::app
