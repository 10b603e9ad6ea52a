#include "app/lesson/handout.h"

#include <md4c-html.h>

#include "app/lesson/answers.h"
#include "app/lesson/kernel_lines.h"
#include "app/lesson/own_kernels.h"

namespace warplens::app {
namespace {

constexpr const char* style = R"css(
body { font: 16px/1.55 Inter, "Helvetica Neue", Arial, sans-serif; color: #1c1e22; background: #fff;
       max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin-bottom: .2rem; }
h2 { font-size: 1.25rem; margin-top: 2.2rem; }
code, pre { font-family: "JetBrains Mono", Menlo, Consolas, monospace; font-size: .88em; }
pre { background: #f4f4f1; padding: .8rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: 1.2rem 0; break-inside: avoid; }
figure img { width: 100%; border: 1px solid #ddd; }
.about, .number { color: #5a5f69; }
.question { border-left: 4px solid #0072b2; background: #f2f7fb; padding: .6rem 1rem; margin: 1.2rem 0;
            break-inside: avoid; }
.question ol { list-style: upper-alpha; margin: .3rem 0; }
.listing { font-size: .74em; line-height: 1.45; }
.listing span { color: #5a5f69; }
.blank { display: inline-block; min-width: 8rem; border-bottom: 1px solid #1c1e22; }
.notes { border-left: 4px solid #d55e00; background: #fdf4ee; padding: .2rem 1rem; margin: 1.2rem 0;
         break-inside: avoid; }
.notes .label { color: #5a5f69; font-size: .85rem; }
#answers { break-before: page; }
footer { margin-top: 3rem; color: #5a5f69; font-size: .85rem; }
)css";

Result<std::string> as_html(const std::string& markdown) {
    std::string html;
    const auto append = [](const MD_CHAR* text, MD_SIZE size, void* into) {
        static_cast<std::string*>(into)->append(text, size);
    };
    constexpr unsigned flags = MD_FLAG_TABLES | MD_FLAG_NOHTML;
    if (md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), append, &html, flags, 0) != 0)
        return fail("the Markdown cannot be turned into HTML");
    return html;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else out += c;
    }
    return out;
}

/// As a data URL of an image, so that the names inside one picture do not clash with those of another.
std::string data_address(const std::string& svg) {
    std::string address = "data:image/svg+xml,";
    for (const char c : svg) {
        const bool plain = c != '%' && c != '#' && c != '"' && c != '<' && c != '>' && c != '\n';
        address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return address;
}

class Handout {
  public:
    Handout(const Lesson& lesson, LessonNumbers& numbers, const DrawPicture& draw, Edition edition)
        : lesson_(lesson), numbers_(numbers), draw_(draw), edition_(edition) {}

    Result<std::string> write() {
        html_ = fmt::format(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n"
            "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p class=\"about\">{2}</p>\n",
            escaped(lesson_.title), style, escaped(lesson_.about));
        for (const LessonStep& step : lesson_.steps) {
            if (!step.title.empty()) html_ += fmt::format("<h2>{}</h2>\n", escaped(step.title));
            prose(step.prose, "main", html_);
            if (step.picture) picture(*step.picture, html_);
            if (step.question) question(*step.question);
            if (edition_ == Edition::teacher && !step.notes.text.empty()) {
                html_ += "<div class=\"notes\">\n<p class=\"label\">Notes for the teacher</p>\n";
                prose(step.notes, "main", html_);
                html_ += "</div>\n";
            }
        }
        if (!answers_.empty())
            html_ += "<section id=\"answers\">\n<h2>Answers</h2>\n" + answers_ + "</section>\n";
        html_ += fmt::format(
            "<footer>Numbers and pictures computed by Warplens from the kernel {} and modelled for the GPU "
            "{}.</footer>\n</body>\n</html>\n",
            escaped(kernel_title(lesson_.runs.front().kernel)), escaped(gpu_));
        if (!status_) return tl::unexpected(status_.error());
        return html_;
    }

  private:
    /// Keeps the first error; the rest is written without the faulty part.
    template <class T>
    bool good(const Result<T>& result) {
        if (!result && status_) status_ = tl::unexpected(result.error());
        return result.has_value();
    }

    void markdown(const std::string& text, std::string& into) {
        if (const auto html = as_html(text); good(html)) into += *html;
    }

    void prose(const LessonText& text, const std::string& run, std::string& into) {
        if (const auto words = filled(lesson_, run, text, numbers_); good(words)) markdown(*words, into);
    }

    void picture(const LessonPicture& shown, std::string& into) {
        const auto svg = draw_(lesson_, shown);
        if (!good(svg)) return;
        into += fmt::format("<figure><img alt=\"{}: {} view\" src=\"{}\"></figure>\n",
                            escaped(kernel_title(lesson_.run(shown.run)->kernel)), escaped(shown.view),
                            data_address(*svg));
    }

    /// The code whose line is the answer, with line numbers to write down.
    void listing(const LessonQuestion& asked) {
        const auto kernel = numbers_.kernel(lesson_.run(asked.run)->kernel);
        if (!good(kernel)) return;
        html_ += "<pre class=\"listing\">";
        for (const KernelLine& line : listed_lines(**kernel))
            html_ += fmt::format("<span>{:>4}</span>  {}\n", line.number, escaped(line.code));
        html_ += "</pre>\n";
    }

    void question(const LessonQuestion& asked) {
        const auto truth = truth_of(lesson_, asked, numbers_);
        if (!good(truth)) return;
        if (gpu_.empty())
            if (const auto launch = numbers_.launch(lesson_.runs.front(), {}); good(launch))
                gpu_ = std::string(launch->gpu->name);
        ++number_;
        html_ += fmt::format("<div class=\"question\">\n<p class=\"number\">Question {}</p>\n", number_);
        prose(asked.ask, asked.run, html_);
        if (asked.kind == QuestionKind::line) listing(asked);
        if (asked.kind == QuestionKind::choice) {
            html_ += "<ol>\n";
            for (const std::string& option : truth->options) {
                html_ += "<li>";
                markdown(option, html_);
                html_ += "</li>\n";
            }
            html_ += "</ol>\n";
        } else {
            html_ += fmt::format("<p>{}<span class=\"blank\">&nbsp;</span> {}</p>\n",
                                 asked.kind == QuestionKind::line ? "Line " : "",
                                 asked.kind == QuestionKind::line ? "" : escaped(asked.unit));
        }
        html_ += "</div>\n";
        answers_ += fmt::format("<h3>Question {}: ", number_);
        answers_ += escaped(truth->words) + "</h3>\n";
        const Answer right{truth->number.value_or(0), truth->right_option, truth->line};
        if (const auto verdict = judge(lesson_, asked, *truth, right, numbers_); good(verdict))
            markdown(verdict->explanation, answers_);
        if (asked.reveal) picture(*asked.reveal, answers_);
    }

    const Lesson& lesson_;
    LessonNumbers& numbers_;
    const DrawPicture& draw_;
    Edition edition_;
    std::string html_, answers_, gpu_;
    int number_ = 0;
    Status status_;
};

}  // namespace

Result<std::string> handout_html(const Lesson& lesson, LessonNumbers& numbers, const DrawPicture& draw,
                                 Edition edition) {
    return Handout(lesson, numbers, draw, edition).write();
}

}  // namespace warplens::app
