// Words and numbers of the command line: read from arguments, written for people.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dalembert::app {

/// Throws Error, naming the option, unless the whole text is a number.
double to_number(const std::string& option, const std::string& text);
/// The same for a whole number from 1 to `most`.
long to_count(const std::string& option, const std::string& text, long most = 1'000'000'000);
/// The two sides of "name=value"; throws Error for a text of another form.
std::pair<std::string, std::string> to_assignment(const std::string& option, const std::string& text);
/// "name=value" several times, the values being numbers; throws Error for a text of another form, or a name given twice.
std::map<std::string, double> to_assignments(const std::string& option,
                                             const std::vector<std::string>& texts);

std::string number(double x, int digits = 6);  ///< "-" for NaN: not known
std::string plural(long count, const std::string& singular, const std::string& plural);
std::string join(const std::vector<std::string>& words, const std::string& between = ", ");
/// The words of a text separated by blanks.
std::vector<std::string> words(const std::string& text);
/// Each line moved to the right by two blanks.
std::string indented(const std::string& text);

/// A word as a shell takes it for one: in quotes if it has to be.
std::string shell_word(const std::string&);

}  // namespace dalembert::app
