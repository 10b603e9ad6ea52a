// File browser: the folders and files among which a file dialog chooses, with places on the left. The dialog
// owns the field in which a name is typed; what is typed filters the list. It opens and saves nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/theme.h"
#include "app/window/folder_listing.h"

namespace warplens::app {

class FileBrowser {
  public:
    /// `recent`: files whose folders become places.
    void start(std::filesystem::path folder, const std::vector<std::string>& recent);
    void enter(std::filesystem::path folder);
    const std::filesystem::path& folder() const { return folder_; }

    struct Chosen {
        std::string name;     // in the folder
        bool accept = false;  // double-clicked
    };
    /// At the cursor. `typed` filters unless it is empty or a path. The chosen file, where one was clicked.
    std::optional<Chosen> draw(const Theme& theme, ImVec2 size, const std::string& typed);

    /// Up and down move in the list; a folder is entered, of a file the name is returned.
    void take_arrows();
    /// What the arrow keys are on; none before they were pressed or after `typed` changed.
    const FolderEntry* marked() const;
    /// The only entry that the typed letters leave; null: several, none, or nothing was typed.
    const FolderEntry* only_match() const;
    void enter_parent() { enter(folder_.parent_path()); }

  private:
    struct Place {
        std::string name;
        std::filesystem::path folder;
    };
    void read();
    void filter(const std::string& typed);
    void draw_head(const Theme& theme, float width);
    void draw_places(const Theme& theme, ImVec2 size);
    std::optional<Chosen> draw_rows(const Theme& theme, ImVec2 size);

    std::filesystem::path folder_;
    FileFilter filter_ = FileFilter::kernels;
    std::vector<Place> places_;
    std::vector<FolderEntry> entries_;
    std::vector<std::size_t> shown_;  // indices into entries_
    std::string typed_, error_;
    int marked_ = -1;  // index into shown_
    bool reveal_ = false;
};

}  // namespace warplens::app
